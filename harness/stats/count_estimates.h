// What the counters say of one rung, over processes: medians of process values, Student's interval on the plain scale,
// because a count net of the floor may be 0 or below. Pure.
#pragma once

#include <optional>
#include <vector>

#include "harness/core/visit.h"
#include "harness/stats/estimate.h"

namespace tare::stats {

struct RungCounts {
    std::vector<CountEstimate> counts;  ///< ascending by counter
    std::optional<double> instructions_per_cycle;
    bool operator==(const RungCounts&) const = default;
};

/// From the rung of this kind in each visit. A visit in which a counter is absent, or not finite, gives it no value.
/// Ratios are taken inside a visit first, where their denominator is above 0, and only of counters that `counters`
/// trusts.
[[nodiscard]] RungCounts estimate_counts(const std::vector<const core::Visit*>& visits, core::RungKind kind,
                                         const std::vector<RunCounter>& counters);

}  // namespace tare::stats
