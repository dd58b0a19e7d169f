// PassPlan: which counters are counted at the same time, found by opening them. Groups are filled in the order of the
// requests; one that is full ends, and the next begins with the anchors, cycles and instructions, so that every ratio
// to them is one within a pass.
#pragma once

#include <cstddef>
#include <vector>

#include "harness/core/counter.h"
#include "pmu/counter_group.h"
#include "pmu/counter_refusal.h"
#include "pmu/perf_kernel.h"

namespace tare::pmu {

struct PassPlan {
    core::OpenCounters
        counters;  ///< in each pass the members of its group, in order, then what getrusage and the clock count
    std::vector<CounterGroup> groups;  ///< by pass, disabled; empty where these alone count
};

[[nodiscard]] PassPlan open_passes(const std::vector<core::CounterRequest>& requests, PerfKernel& kernel,
                                   const CountingSurroundings& surroundings);

}  // namespace tare::pmu
