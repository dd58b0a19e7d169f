// GitHub's workflow commands: https://docs.github.com/actions, "Workflow commands".
#include "harness/cli/gate.h"

#include <fmt/format.h>

namespace tare::cli {

using record::ComparedCase;
using record::Outcome;

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

bool gates(const ComparedCase& compared) {
    return compared.standing == stats::Standing::kGating;
}

std::string change_of(const ComparedCase& compared) {
    std::string text = compared.ratio ? record::change_text(*compared.ratio) : "";
    if (compared.ratio_interval) text += " " + record::change_interval_text(*compared.ratio_interval);
    return text;
}

}  // namespace

ExitCode gate_code(const record::Comparison& comparison, const VerdictOptions& options) {
    ExitCode code = ExitCode::kDone;
    for (const ComparedCase& compared : comparison.cases) {
        const Outcome outcome = compared.outcome();
        if (outcome == Outcome::kFailed) code = stronger(code, ExitCode::kCasesFailed);
        if (options.gate && outcome == Outcome::kSlower && gates(compared))
            code = stronger(code, ExitCode::kRegression);
        if (options.gate && options.fail_on_inconclusive && outcome == Outcome::kInconclusive)
            code = stronger(code, ExitCode::kInconclusive);
    }
    return code;
}

std::string github_annotations(const record::Comparison& comparison) {
    std::string text;
    for (const ComparedCase* compared : record::by_outcome(comparison)) {
        if (compared->outcome() == Outcome::kSlower)
            text +=
                annotation(gates(*compared) ? "error" : "warning", compared->name + " is slower", change_of(*compared));
        if (compared->outcome() == Outcome::kFailed)
            text += annotation("warning", compared->name + " failed",
                               compared->error ? compared->error->error.what : "no reason is known");
    }
    return text;
}

}  // namespace tare::cli
