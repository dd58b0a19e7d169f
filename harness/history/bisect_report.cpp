// Percentages carry their sign and one digit below 100 %.
#include "harness/history/bisect_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "harness/history/trend_report.h"
#include "harness/record/json.h"
#include "harness/record/text_grid.h"

namespace tare::history {

namespace {

using record::Json;

double percent(double ratio) {
    return 100 * (ratio - 1);
}

std::string percent_text(double ratio) {
    const double value = percent(ratio);
    return std::abs(value) < 99.95 ? fmt::format("{:+.1f} %", value) : fmt::format("{:+.0f} %", value);
}

std::string bounds_text(const stats::Interval& interval) {
    return fmt::format("[{:+.1f}, {:+.1f}]", percent(interval.low), percent(interval.high));
}

/// Full commit names are shortened.
std::string shown(const std::string& candidate) {
    const bool is_commit = candidate.size() == 40 && candidate.find('.') == std::string::npos;
    return is_commit ? candidate.substr(0, kCommitDigits) : candidate;
}

std::string side_text(ChangeSide side) {
    return side == ChangeSide::kBefore ? "before" : side == ChangeSide::kAfter ? "after" : "unknown";
}

Json interval_to_json(const stats::Interval& interval) {
    return Json::array({record::rounded(interval.low, record::kEstimateDigits),
                        record::rounded(interval.high, record::kEstimateDigits)});
}

Json step_to_json(const BisectStep& step) {
    const stats::Finding& finding = step.finding;
    Json json = record::object_of({{"candidate", step.candidate}, {"side", side_text(step.side)}});
    json["verdict"] = step.problem.empty() ? Json(stats::name_of(finding.verdict)) : Json();
    json["ratio"] = finding.contrast ? record::rounded(finding.contrast->ratio(), record::kEstimateDigits) : Json();
    json["ratio_interval"] = finding.ratio_interval ? interval_to_json(*finding.ratio_interval) : Json();
    json["pairs"] = finding.pairs;
    if (!step.problem.empty()) json["problem"] = step.problem;
    return json;
}

Json case_to_json(const BisectedCase& bisected) {
    Json json = record::object_of({{"case", bisected.name},
                                   {"decided", bisected.between.empty()},
                                   {"last_before", bisected.last_before},
                                   {"first_after", bisected.first_after},
                                   {"between", bisected.between},
                                   {"total_ratio", record::rounded(bisected.total_ratio, record::kEstimateDigits)},
                                   {"returns", bisected.returns}});
    json["step_ratio"] = bisected.step ? record::rounded(bisected.step->ratio(), record::kEstimateDigits) : Json();
    json["step_ratio_interval"] = bisected.step ? interval_to_json(stats::ratio_interval(*bisected.step)) : Json();
    return json;
}

std::string steps_grid(const BisectReport& report, std::size_t width, const record::TextStyle& style) {
    std::vector<record::Column> columns = {{"step", 0, true},   {"ratio", 0, false},  {"95 % interval", 2, false},
                                           {"pairs", 3, false}, {"verdict", 0, true}, {"of the change", 1, true},
                                           {"remark", 1, true}};
    std::vector<record::GridRow> rows;
    for (const BisectStep& step : report.steps) {
        const stats::Finding& finding = step.finding;
        rows.push_back({{shown(step.candidate), finding.contrast ? percent_text(finding.contrast->ratio()) : "",
                         finding.ratio_interval ? bounds_text(*finding.ratio_interval) : "",
                         finding.pairs > 0 ? fmt::format("{}", finding.pairs) : "",
                         step.problem.empty() ? std::string(stats::name_of(finding.verdict)) : "", side_text(step.side),
                         step.problem},
                        nullptr});
    }
    return record::print_grid(std::move(columns), std::move(rows), width, style);
}

}  // namespace

stats::Contrast step_between(const std::optional<stats::Contrast>& earlier, const stats::Contrast& later) {
    if (!earlier) return later;
    return {.log_ratio = later.log_ratio - earlier->log_ratio,
            .standard_error = std::hypot(later.standard_error, earlier->standard_error),
            .degrees_of_freedom = std::min(later.degrees_of_freedom, earlier->degrees_of_freedom)};  // not too narrow
}

std::string answer_of(const BisectedCase& bisected) {
    const bool slower = bisected.total_ratio > 1;
    std::string text = bisected.name + ": ";
    if (bisected.between.empty())
        text += fmt::format("{} since {}", slower ? "slower" : "faster", shown(bisected.first_after));
    else
        text += fmt::format("{} since one of {}", slower ? "slower" : "faster",
                            shown(bisected.between.front()) + " to " + shown(bisected.first_after));
    if (bisected.step)
        text += fmt::format(": {} {}", percent_text(bisected.step->ratio()),
                            bounds_text(stats::ratio_interval(*bisected.step)));
    text += fmt::format("; {} is the last {} one", shown(bisected.last_before), slower ? "fast" : "slow");
    if (bisected.step && std::abs(bisected.step->log_ratio - std::log(bisected.total_ratio)) >
                             0.1 * std::abs(std::log(bisected.total_ratio)))
        text += fmt::format(" (between the ends {})", percent_text(bisected.total_ratio));
    if (bisected.returns) text += "; it was taken back and came again: this is the first time";
    return text;
}

std::string print_bisect_table(const BisectReport& report, std::size_t width, const record::TextStyle& style) {
    std::string text;
    if (!report.target.empty()) {
        text += fmt::format("{}: each against {}\n\n", report.target, shown(report.good));
        text += steps_grid(report, width, style) + '\n';
    }
    for (const BisectedCase& bisected : report.cases) text += answer_of(bisected) + '\n';
    for (const std::string& note : report.notes) text += note + '\n';
    return text;
}

std::string print_bisect_json(const BisectReport& report) {
    Json steps = Json::array(), cases = Json::array();
    for (const BisectStep& step : report.steps) steps.push_back(step_to_json(step));
    for (const BisectedCase& bisected : report.cases) cases.push_back(case_to_json(bisected));
    const Json json = record::object_of({{"good", report.good},
                                         {"bad", report.bad},
                                         {"target", report.target},
                                         {"selected_cases", report.selected},
                                         {"inconclusive_cases", report.inconclusive},
                                         {"steps", std::move(steps)},
                                         {"cases", std::move(cases)},
                                         {"notes", report.notes}});
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace tare::history
