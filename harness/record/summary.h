// Summary: what a run found, case by case: what the table shows and the record's top-level `tare` object holds.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/ledger.h"
#include "harness/core/visit.h"
#include "harness/record/case_times.h"
#include "harness/stats/estimate.h"
#include "harness/stats/run_counters.h"
#include "harness/stats/size_fit.h"

namespace tare::record {

/// What a case's ledger says in one number, or why there is none.
struct CaseInstructions {
    core::Count count;  ///< of one execution of the statement
    int layouts = 0;
    std::optional<core::Error> error;
    bool operator==(const CaseInstructions&) const = default;
};

struct Summary {
    std::vector<stats::CaseEstimate> cases;  ///< in order of first appearance
    std::vector<stats::SizeFit> size_fits;
    std::map<std::string, CaseInstructions, std::less<>> instructions;  ///< by case; empty: no ledger was asked for
    std::vector<CaseTime> times;              ///< of the record's profiles, in their order; empty: none was asked for
    std::vector<stats::RunCounter> counters;  ///< in the order of the requests; empty: none was asked for
    double never_below_ratio = 0;  ///< what the references took above the machine's best even at their best in this run
    double clock_ghz = 0;          ///< of the core in this run, the median of the batches; 0: unknown
    double at_clock_ghz = 0;       ///< the one that the times of the cases are said at; 0: each process's at its own

    /// Null where the case has no ledger.
    [[nodiscard]] const core::Count* instructions_of(const std::string& case_name) const {
        const auto found = instructions.find(case_name);
        return found == instructions.end() || found->second.error ? nullptr : &found->second.count;
    }
    bool operator==(const Summary&) const = default;
};

/// `counting`: what the run knows of its counters; `best`: of its references.
[[nodiscard]] inline Summary summarize(const std::vector<core::Visit>& visits, const core::Counting& counting = {},
                                       const core::References& best = {}) {
    Summary summary;
    summary.counters = stats::run_counters(counting, visits);
    summary.cases = stats::estimate_cases(visits, summary.counters, best);
    summary.at_clock_ghz = best.clock_ghz;
    summary.size_fits = stats::fit_sizes(summary.cases);
    return summary;
}

}  // namespace tare::record
