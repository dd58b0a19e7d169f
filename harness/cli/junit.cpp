// Names and reasons come from foreign suites and packages: every text is escaped.
#include "harness/cli/junit.h"

#include <fmt/format.h>

#include "harness/attribution/escaped_text.h"
#include "harness/cli/gate.h"

namespace tare::cli {

using attribution::xml_text;
using record::ComparedCase;
using record::Comparison;
using record::Outcome;

namespace {

/// `add` of `add[kind=array,n=8]`.
std::string operation_of(const ComparedCase& compared) {
    return compared.name.substr(0, compared.name.find('['));
}

std::string verdict_text(const ComparedCase& compared, const Comparison& comparison) {
    const std::string why = why_text(compared, comparison);
    std::string text = outcome_text(compared, comparison);
    if (compared.ratio) text += ' ' + record::change_text(*compared.ratio);
    if (compared.ratio_interval) text += ' ' + record::change_interval_text(*compared.ratio_interval);
    return why.empty() ? text : text + " (" + why + ')';
}

struct JunitCounts {
    int failures = 0, errors = 0, skipped = 0;
};

std::string junit_outcome(const ComparedCase& compared, const Comparison& comparison, const VerdictOptions& options,
                          JunitCounts& counts) {
    const CaseGate gate = gate_of(compared, options);
    const std::string verdict = verdict_text(compared, comparison);
    if (compared.outcome() == Outcome::kOneSided) {
        ++counts.skipped;
        return fmt::format("<skipped message=\"{}\"/>", xml_text(verdict));
    }
    if (gate.code == ExitCode::kCasesFailed) {
        ++counts.errors;
        return fmt::format("<error message=\"{}\"/>", xml_text(gate.text));
    }
    if (gate.code != ExitCode::kDone) {
        ++counts.failures;
        const char* type = gate.code == ExitCode::kRegression ? "regression" : "inconclusive";
        return fmt::format("<failure type=\"{}\" message=\"{}\">{}</failure>", type, xml_text(gate.text),
                           xml_text(verdict));
    }
    return fmt::format("<system-out>{}</system-out>", xml_text(verdict));
}

}  // namespace

std::string junit_report(const Comparison& comparison, const VerdictOptions& options) {
    JunitCounts counts;
    std::string cases;
    for (const ComparedCase& compared : comparison.cases)
        cases +=
            fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.9f}\">{}</testcase>\n",
                        xml_text(operation_of(compared)), xml_text(compared.name),
                        1e-9 * compared.times_ns[1].value_or(0), junit_outcome(compared, comparison, options, counts));
    const std::string numbers = fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"",
                                            comparison.cases.size(), counts.failures, counts.errors, counts.skipped);
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"bench\" {0}>\n"
        "  <testsuite name=\"{1} against {2}\" {0}>\n{3}  </testsuite>\n</testsuites>\n",
        numbers, xml_text(comparison.sides[1]), xml_text(comparison.sides[0]), cases);
}

}  // namespace tare::cli
