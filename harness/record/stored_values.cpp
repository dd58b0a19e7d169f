// Times as they were timed: what a clock did to them is judged with both records at hand.
#include "harness/record/stored_values.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "harness/core/references.h"
#include "harness/stats/estimate.h"
#include "harness/stats/estimators.h"
#include "harness/stats/one_clock.h"

namespace tare::record {

namespace {

/// Without most of them near each other nothing is known.
void mend_misread(std::vector<double>& log_clocks) {
    if (log_clocks.empty()) return;
    const double middle = stats::median(log_clocks);
    std::size_t mended = 0;
    for (double& log_clock : log_clocks) {
        if (core::are_near_clocks(std::exp(log_clock), std::exp(middle))) continue;
        log_clock = middle;
        ++mended;
    }
    if (2 * mended > log_clocks.size()) log_clocks.clear();
}

/// As the record's own rows have it.
double time_at_ns(const stats::RungEstimate& gross, double computed_ratio, double at_ghz) {
    std::vector<double> times_ns;
    for (const stats::ProcessValue& process : gross.processes)
        times_ns.push_back(process.median_ns * stats::clock_factor(process.clock_ghz, at_ghz, computed_ratio));
    return stats::median(times_ns);
}

/// Of records from before a visit had its clock, the median of the whole run.
void add_processes(StoredValues& values, const stats::RungEstimate& gross, double median_ghz) {
    values.time_ns = gross.time_ns.value;
    values.shared_error = gross.shared_error_ns / gross.time_ns.value;
    for (const stats::ProcessValue& process : gross.processes) {
        values.not_positive |= !(process.median_ns > 0) || !std::isfinite(process.median_ns);
        values.logs.push_back(std::log(process.median_ns));
        const double ghz = process.clock_ghz > 0 ? process.clock_ghz : median_ghz;
        if (ghz > 0 && std::isfinite(ghz)) values.log_clocks.push_back(std::log(ghz));
    }
    if (values.not_positive) values.logs.clear();
    if (values.log_clocks.size() != values.logs.size()) values.log_clocks.clear();
    if (values.log_clocks.empty()) return;
    mend_misread(values.log_clocks);
    values.computed_ratio = stats::computed_ratio(gross);
    if (values.at_log_clock) values.time_ns = time_at_ns(gross, values.computed_ratio, std::exp(*values.at_log_clock));
}

}  // namespace

std::vector<double> logs_at(const StoredValues& values, double slope, double log_clock) {
    std::vector<double> logs = values.logs;
    for (std::size_t i = 0; i < values.log_clocks.size(); ++i) logs[i] += slope * (log_clock - values.log_clocks[i]);
    return logs;
}

std::vector<StoredValues> values_of(const Record& record) {
    core::References best = best_references(record.context);
    const double at_ghz = best.clock_ghz;
    best.clock_ghz = 0;
    std::vector<StoredValues> cases;
    for (const stats::CaseEstimate& estimate : stats::estimate_cases(record.visits, {}, best)) {
        StoredValues values;
        values.name = estimate.name;
        values.error = estimate.error;
        values.busy = estimate.quiet && estimate.quiet->busy;
        if (at_ghz > 0) values.at_log_clock = std::log(at_ghz);
        if (const stats::RungEstimate* gross = estimate.rung(core::RungKind::kPython))
            add_processes(values, *gross, record.context["references"]["clock_ghz"].as_double());
        cases.push_back(std::move(values));
    }
    return cases;
}

std::vector<StoredValues> values_of(const Duet& duet) {
    std::vector<StoredValues> cases;
    std::map<std::string, std::size_t, std::less<>> places;
    for (const CaseVerdict& verdict : decide(duet)) {
        if (verdict.selected.presence != Presence::kBoth) continue;
        places.emplace(verdict.selected.name, cases.size());
        StoredValues values;
        values.name = verdict.selected.name;
        values.time_ns = verdict.b_ns;
        if (verdict.error) values.error = verdict.error->error;
        values.statements = verdict.selected.statement_a + '\n' + verdict.selected.statement_b;
        values.placement_kept = !duet.page_cache.refused.empty() && !duet.page_cache.files.empty();
        cases.push_back(std::move(values));
    }
    for (const core::PairVisit& visit : duet.visits)
        if (const auto place = places.find(visit.case_name); place != places.end())
            if (const auto pair = estimate_of(visit)) cases[place->second].logs.push_back(pair->log_ratio);
    return cases;
}

}  // namespace tare::record
