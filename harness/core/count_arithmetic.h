// From raw counts to events per execution: deltas, scaling, the floor. Pure functions, no system call.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/core/counter.h"

namespace tare::core {

/// One reading of a group: PERF_FORMAT_GROUP with TOTAL_TIME_ENABLED and TOTAL_TIME_RUNNING.
struct GroupReading {
    std::uint64_t enabled_ns = 0;
    std::uint64_t running_ns = 0;
    std::vector<std::uint64_t> values;
    bool operator==(const GroupReading&) const = default;
};

/// running / enabled over all of them; none where the group was enabled for no time at all.
[[nodiscard]] std::optional<double> counted_ratio(const std::vector<BatchCounts>& batches);

/// raw * enabled / running, as `perf stat` scales. None where the group never ran: nothing is known then, not 0.
[[nodiscard]] std::optional<ScaledCount> scaled(RawCount raw, std::uint64_t enabled_ns, std::uint64_t running_ns);

/// A batch of n executions and its counts.
struct CountedBatch {
    std::uint64_t n = 0;
    BatchCounts counts;
    bool operator==(const CountedBatch&) const = default;
};

/// What each counter says of a rung, from the counted batches of one visit. `floor`: those of the rung's own floor, per
/// pass of its loop, empty where the rung is one itself; `unroll`: executions in a pass. Counters without a readable
/// batch are left out, and those of which no batch of a floor that there is could be read.
/// `requests` tells which are cycles and instructions; `passes` as in OpenCounters.
[[nodiscard]] std::vector<RungCount> rung_counts(const std::vector<CountedBatch>& batches,
                                                 const std::vector<CountedBatch>& floor, int unroll,
                                                 const std::vector<CounterRequest>& requests,
                                                 const std::vector<std::vector<std::size_t>>& passes);

}  // namespace tare::core
