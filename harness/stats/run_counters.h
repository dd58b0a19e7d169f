// RunCounter: how far one counter of a run is to be believed, from what all workers made of it. Pure.
#pragma once

#include <optional>
#include <vector>

#include "harness/core/counter.h"
#include "harness/core/visit.h"

namespace tare::stats {

struct RunCounter {
    core::CounterRequest request;
    core::CounterState state = core::CounterState::kUnavailable;  ///< the worst that a process had, or kPartial
    std::optional<core::CounterProblem> problem;  ///< set unless kMeasured: of the first process in that state
    core::CounterState opened = core::CounterState::kUnavailable;  ///< the worst that a worker's start found
    double counted_ratio = 1;                                      ///< smallest share of the time counted in any batch
    std::optional<double> reading_cost;                            ///< median over the processes that count
    int processes = 0;                                             ///< that told what they made of it
    int affected = 0;                                              ///< of them, those whose start gave `opened`

    /// Values that ratios may be made of.
    [[nodiscard]] bool trusted() const {
        return state == core::CounterState::kMeasured || state == core::CounterState::kPartial;
    }
    bool operator==(const RunCounter&) const = default;
};

/// In the order of the requests. Outcomes that a process does not give, and counts of no request, are passed over.
[[nodiscard]] std::vector<RunCounter> run_counters(const core::Counting& counting,
                                                   const std::vector<core::Visit>& visits);

struct CountEstimate;
/// Of one case's value of it: kUnavailable where there is none, kPartial only where that value is scaled.
[[nodiscard]] core::CounterState state_in_case(const RunCounter& counter, const CountEstimate* estimate);

/// "ENOENT: this machine exposes no PMU"; "in 1 of 5 processes: ..." where others differ. Empty where there is none.
[[nodiscard]] std::string reason_text(const RunCounter& counter);

/// "61.2 %", never rounded up to all of the time.
[[nodiscard]] std::string share_text(double counted_ratio);

}  // namespace tare::stats
