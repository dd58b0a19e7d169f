// What `bench doctor` judges of hardware counters: those of a request list are opened, self-tested and closed again.
// On the calling thread, which should be pinned to the CPU it is about.
#pragma once

#include <vector>

#include "harness/core/counter.h"
#include "harness/core/value.h"
#include "pmu/core_pmu.h"
#include "pmu/counter_refusal.h"
#include "pmu/perf_kernel.h"

namespace tare::pmu {

/// A map as fitness() takes it, in the manner of machine_facts():
///
/// lists   counters: maps of name, state ("measured", ...), errno, reason, hint; core_pmus: names
/// bool    privileged
///
/// Only hardware counters are tried, and of these not what the CPU cannot count by design (a request with its problem
/// set): that is no fault of the machine's set-up.
[[nodiscard]] core::Value counting_facts(const std::vector<core::CounterRequest>& requests,
                                         const std::vector<CorePmu>& pmus, const CountingSurroundings& surroundings,
                                         PerfKernel& kernel);

}  // namespace tare::pmu
