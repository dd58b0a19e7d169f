// What the self-test expects a counter to read of known work, and what it makes of what was read. Pure.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "harness/core/counter.h"
#include "pmu/known_work.h"

namespace tare::pmu {

/// The work by which a counter is judged: one kind for a role; all that a PMU sees for an event of the user's own.
/// Where none is known to make it count, any shows at least that its group is counted.
[[nodiscard]] std::vector<WorkKind> work_for(const core::CounterRequest& request);

/// Bounds of what an honest counter reads.
struct Expectation {
    double least = 0;
    double most = std::numeric_limits<double>::infinity();
    std::string_view work;  ///< "a loop of 2000000 instructions"
    bool operator==(const Expectation&) const = default;
};

/// `wall_ns`: how long the work took. None: nothing is known of what this counter should read.
[[nodiscard]] std::optional<Expectation> expectation_of(const core::CounterRequest& request, std::int64_t wall_ns);

/// What one counter read over its work.
struct SelfCount {
    bool readable = true;  ///< false: the group was not scheduled
    std::int64_t value = 0;
    std::uint64_t enabled_ns = 0;
    std::uint64_t running_ns = 0;
};

/// kMeasured; kSuspect with what was read and what was expected; kPartial with the share of the time that was counted;
/// kUnavailable where the group never ran.
[[nodiscard]] core::CounterOutcome judge(const core::CounterRequest& request, const SelfCount& count,
                                         const std::optional<Expectation>& expectation);

}  // namespace tare::pmu
