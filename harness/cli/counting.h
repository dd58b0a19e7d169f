// What `bench run --counters` asks of its workers: the choice, the request, and what --require-counters demands.
#pragma once

#include <vector>

#include "harness/cli/options.h"
#include "harness/cli/streams.h"
#include "harness/core/counter.h"
#include "harness/core/error.h"
#include "harness/measure/worker_link.h"

namespace tare::cli {

/// Empty: nothing is to be counted. Warns where a count says less than its name. Errors: kUsage for an unknown name.
[[nodiscard]] core::Expected<std::vector<core::CounterRequest>> chosen_counters(const Options& options, int cpu,
                                                                                const Streams& streams);

/// Opens and self-tests them in a worker.
[[nodiscard]] core::Expected<core::OpenCounters> open_counters(measure::WorkerLink& worker,
                                                               const std::vector<core::CounterRequest>& counters);

/// Errors: kEnvironment where one of them is not measured; names each with the reason.
[[nodiscard]] core::Status check_required(const std::vector<core::CounterRequest>& counters,
                                          const core::OpenCounters& opened);

}  // namespace tare::cli
