// CaseCount: what one counter says of one case's python rung, or why it says nothing: what tables and exports show.
// Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/record/summary.h"

namespace tare::record {

struct CaseCount {
    const stats::RunCounter* counter = nullptr;
    const stats::CountEstimate* estimate = nullptr;  ///< null: kUnavailable
    core::CounterState state = core::CounterState::kUnavailable;
    std::string reason;  ///< empty where kMeasured
};

/// One for each counter of the run, in the order of the requests. Points into `summary` and `estimate`.
[[nodiscard]] std::vector<CaseCount> case_counts(const Summary& summary, const stats::CaseEstimate& estimate);

/// Cycles and instructions were both asked for.
[[nodiscard]] bool asks_instructions_per_cycle(const Summary& summary);
/// Of the python rung, or why there is none.
[[nodiscard]] core::Expected<double> instructions_per_cycle(const Summary& summary,
                                                            const stats::CaseEstimate& estimate);

}  // namespace tare::record
