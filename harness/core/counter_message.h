// Counters as messages between `bench` and a worker.
#pragma once

#include <vector>

#include "harness/core/counter.h"
#include "harness/core/value.h"

namespace tare::core {

[[nodiscard]] Value message_of(const std::vector<CounterRequest>& requests);
/// What is missing or of another type reads as its default.
[[nodiscard]] std::vector<CounterRequest> counter_requests(const Value& message);

[[nodiscard]] Value message_of(const OpenCounters& counters);
/// Passes that name a counter beyond `requests` are left out: the message comes from a process that runs foreign code.
[[nodiscard]] OpenCounters open_counters(const Value& message, std::size_t requests);

/// [enabled_ns, running_ns, count...]; nil where the group was not readable.
[[nodiscard]] Value message_of(const BatchCounts& counts);
/// Of a group of `counters` counters; other sizes read as not readable.
[[nodiscard]] BatchCounts batch_counts(const Value& message, std::size_t pass, std::size_t counters);

}  // namespace tare::core
