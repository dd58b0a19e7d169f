// Times as they were timed: what a clock did to them is judged with both records at hand.
#include "harness/record/stored_values.h"

#include <cmath>
#include <map>
#include <string_view>

#include "harness/stats/estimate.h"

namespace tare::record {

namespace {

/// Of records from before a visit had its clock, the median of the whole run.
void add_processes(StoredValues& values, const stats::RungEstimate& gross, double median_ghz) {
    values.time_ns = gross.time_ns.value;
    for (const stats::ProcessValue& process : gross.processes) {
        values.not_positive |= !(process.median_ns > 0);
        values.logs.push_back(std::log(process.median_ns));
        const double ghz = process.clock_ghz > 0 ? process.clock_ghz : median_ghz;
        if (ghz > 0) values.log_clocks.push_back(std::log(ghz));
    }
    if (values.not_positive) values.logs.clear();
    if (values.log_clocks.size() != values.logs.size()) values.log_clocks.clear();
}

}  // namespace

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
