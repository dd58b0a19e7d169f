// What one execution costs, found out before batches are sized. An interruption lengthens a batch and nothing shortens
// one: a batch of 8 executions that a preemption made last 50 us must not size all that follow.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

namespace tare::measure {

/// Wall nanoseconds of one batch of n executions; none: an execution failed.
using BatchTimer = std::function<std::optional<double>(std::uint64_t n)>;

/// Nanoseconds of one execution, from batches of `unit`, then more executions (multiples of it), until the shortest of
/// up to three of the same size lasts 50 us. None where a batch failed.
[[nodiscard]] std::optional<double> estimate_cost_ns(std::uint64_t unit, const BatchTimer& batch_wall_ns);

}  // namespace tare::measure
