// stdout carries results; annotations go to stderr, which GitHub reads as well.
#include "harness/cli/verdict_output.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

#include "harness/cli/gate.h"
#include "harness/cli/junit.h"
#include "harness/cli/message.h"
#include "harness/cli/output_file.h"
#include "harness/record/comparison_exports.h"
#include "harness/record/comparison_table.h"
#include "harness/record/duet_exports.h"
#include "harness/record/duet_table.h"
#include "harness/record/packages.h"
#include "harness/record/shared_lines.h"

namespace tare::cli {

using core::Status;
using core::Value;

namespace {

bool on_github() {
    const char* value = std::getenv("GITHUB_ACTIONS");
    return value != nullptr && std::string_view(value) == "true";
}

/// "a  /venvs/old: NumPy 2.0.2, CPython 3.11.2 (executable), shapely 2.0.1, OPENBLAS_CORETYPE=Haswell".
std::string side_line(const char* name, const Value& side, const std::vector<std::string>& packages) {
    std::string text = fmt::format("{}  {}: ", name, side["subject"]["python"].as_text());
    if (const std::string& numpy = side["numpy"]["version"].as_text(); !numpy.empty())
        text += fmt::format("NumPy {}, ", numpy);
    text += fmt::format("CPython {} ({})", side["subject"]["version"].as_text(), side["host"].as_text());
    text += record::packages_text(record::packages_of(side), packages);
    for (const Value& suite : side["suites"].as_list()) text += fmt::format(", {}", suite.as_text());
    for (const auto& [variable, value] : side["environment"].as_map())
        text += fmt::format(", {}={}", variable, value.as_text());
    return text + '\n';
}

std::string duet_heading(const record::Duet& duet) {
    const std::int64_t threads = duet.settings["threads"].as_int(1);
    std::vector<std::string> packages =
        differing_packages(record::packages_of(duet.sides[0]), record::packages_of(duet.sides[1]));
    std::erase(packages, "numpy");  // said before, whether it differs or not
    const std::string libraries = record::libraries_note(duet.sides[0], duet.sides[1]);
    return side_line("a", duet.sides[0], packages) + side_line("b", duet.sides[1], packages) +
           (libraries.empty() ? "" : record::one_line(libraries) + '\n') +
           fmt::format("CPU {} of {}, {} thread{}\n", duet.context["measured_cpu"].as_int(),
                       duet.context["cpu_model"].as_text(), threads, threads == 1 ? "" : "s");
}

}  // namespace

ExitCode give_comparison(const Options& options, const Streams& streams, const record::Comparison& comparison,
                         const VerdictTexts& texts) {
    const record::TableOptions table{
        .width = streams.width, .style = {.color = streams.color, .unicode = true}, .cpp = false};
    switch (options.format) {
        case Format::kTable:
            streams.out << texts.heading << '\n' << record::print_comparison_table(comparison, table);
            break;
        case Format::kJson:
            streams.out << texts.json;
            break;
        case Format::kCsv:
            streams.out << record::print_comparison_csv(comparison);
            break;
        case Format::kMarkdown:
            streams.out << record::print_comparison_markdown(comparison, table.style);
            break;
    }
    streams.out.flush();
    if (on_github()) streams.err << github_annotations(comparison, options.verdict) << std::flush;
    ExitCode code = gate_code(comparison, options.verdict);
    const auto write = [&](const std::string& path, const std::string& text) {
        if (path.empty()) return;
        if (Status s = write_file(path, text); !s) {
            print_error(streams, s.error());
            code = stronger(code, ExitCode::kUsage);
        }
    };
    write(options.verdict.summary, texts.summary);
    write(options.verdict.junit, junit_report(comparison, options.verdict));
    return code;
}

ExitCode give_verdicts(const Options& options, const Streams& streams, const record::Duet& duet,
                       const std::vector<record::CaseVerdict>& verdicts) {
    const record::TextStyle style{.color = false, .unicode = true};
    const std::string command = "bench " + duet.settings["command"].as_text();
    const ExitCode code = give_comparison(options, streams, record::comparison_of(duet, verdicts),
                                          {.heading = duet_heading(duet),
                                           .json = record::print_duet_json(duet, verdicts),
                                           .summary = record::duet_summary_markdown(duet, verdicts, command, style)});
    return duet.problems.empty() ? code : stronger(code, ExitCode::kCasesFailed);
}

}  // namespace tare::cli
