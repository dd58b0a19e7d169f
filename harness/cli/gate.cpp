// GitHub's workflow commands: https://docs.github.com/actions, "Workflow commands".
#include "harness/cli/gate.h"

#include <fmt/format.h>

namespace tare::cli {

namespace {

/// A command ends with its line, and a property with a comma or a colon.
std::string escaped(const std::string& text, bool property) {
    std::string result;
    for (const char c : text) {
        if (c == '%' || c == '\r' || c == '\n' || (property && (c == ',' || c == ':')))
            result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
        else
            result += c;
    }
    return result;
}

std::string annotation(const std::string& level, const std::string& title, const std::string& text) {
    return fmt::format("::{} title={}::{}\n", level, escaped(title, true), escaped(text, false));
}

double percent(double ratio) {
    return 100 * (ratio - 1);
}

}  // namespace

ExitCode gate_code(const std::vector<Judged>& cases, const VerdictOptions& options) {
    ExitCode code = ExitCode::kDone;
    for (const Judged& each : cases) {
        if (!each.failure.empty())
            code = stronger(code, ExitCode::kCasesFailed);
        else if (options.gate && each.gates && each.verdict == stats::Verdict::kSlower)
            code = stronger(code, ExitCode::kRegression);
        else if (options.gate && options.fail_on_inconclusive && each.verdict == stats::Verdict::kInconclusive)
            code = stronger(code, ExitCode::kInconclusive);
    }
    return code;
}

std::string github_annotations(const std::vector<Judged>& cases) {
    std::string text;
    for (const Judged& each : cases) {
        if (!each.failure.empty()) {
            text += annotation("warning", each.name + " failed", each.failure);
        } else if (each.verdict == stats::Verdict::kSlower) {
            const std::string range = each.range ? fmt::format(" (95 %: {:+.1f} to {:+.1f} %)",
                                                               percent(each.range->low), percent(each.range->high))
                                                 : "";
            text += annotation(each.gates ? "error" : "warning", each.name + " is slower",
                               fmt::format("{:+.1f} %{}", percent(each.ratio), range));
        }
    }
    return text;
}

}  // namespace tare::cli
