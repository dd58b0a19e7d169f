// What getrusage tells of a counter's role: pure. Nothing where it keeps no such count.
#pragma once

#include <cstdint>
#include <optional>

#include "harness/core/counter.h"
#include "pmu/perf_kernel.h"

namespace tare::pmu {

[[nodiscard]] constexpr std::optional<std::uint64_t> usage_count(core::CounterRole role, const ThreadUsage& usage) {
    switch (role) {
        case core::CounterRole::kPageFaults:
            return usage.minor_faults + usage.major_faults;
        case core::CounterRole::kMinorFaults:
            return usage.minor_faults;
        case core::CounterRole::kMajorFaults:
            return usage.major_faults;
        case core::CounterRole::kContextSwitches:
            return usage.voluntary_switches + usage.involuntary_switches;
        default:
            return std::nullopt;
    }
}

}  // namespace tare::pmu
