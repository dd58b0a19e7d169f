// The timed region. One batch: an untimed lead-in, then n executions between two readings of the monotonic clock, with
// nothing of ours between them but one indirect call (whose cost the floor contains); or, of an entry that times each
// execution by itself, between two readings for each. CPU time and counters are read outside, and the references stand
// around all of it.
// Called on the worker's main thread, with the GIL held where the entry needs it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "harness/core/batch_entry.h"
#include "harness/core/count_hook.h"
#include "harness/core/visit.h"

namespace tare::measure {

struct BatchOrder {
    std::uint64_t n = 1;          ///< timed executions
    std::uint64_t lead_in_n = 0;  ///< untimed executions before: other rungs have evicted caches and predictors
    /// Untimed executions after these, once the CPU clock was read, whose system call evicts some, too. The CPU time is
    /// shared out by executions.
    std::uint64_t warm_n = 0;
    std::size_t stack_offset_bytes = 0;         ///< how far to move the C stack for this batch
    const core::CountHook* counting = nullptr;  ///< called before the first and after the last reading of a clock
    /// Those that were taken just before; after all else they are taken again. None: neither.
    std::optional<core::References> before = std::nullopt;
};

/// None: an execution failed; the reason is in the entry's context.
[[nodiscard]] std::optional<core::Sample> time_batch(const core::BatchEntry& entry, const BatchOrder& order);

}  // namespace tare::measure
