// Google Benchmark as the driver of one batch: one registered benchmark with fixed iterations, run once, cleared.
// It decides nothing: order, n and repetition are the schedule's, the clock is measure's. Main thread only.
#pragma once

#include <optional>

#include "harness/core/batch_entry.h"
#include "harness/core/visit.h"
#include "harness/measure/batch.h"

namespace tare::gbench {

/// None: an execution failed; the reason is in the entry's context.
[[nodiscard]] std::optional<core::Sample> drive_batch(const core::BatchEntry& entry, const measure::BatchOrder& order);

}  // namespace tare::gbench
