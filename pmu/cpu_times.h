// Where the CPUs' time went since boot, and how much of an interval the hypervisor kept from us. Unit: ticks of
// sysconf(_SC_CLK_TCK), 10 ms. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "harness/core/error.h"

namespace tare::pmu {

struct CpuTimes {
    std::int64_t busy_ticks = 0;   ///< user (guests are in it), nice, system, irq, softirq
    std::int64_t idle_ticks = 0;   ///< idle and iowait
    std::int64_t steal_ticks = 0;  ///< ready to run here while the hypervisor ran something else

    bool operator==(const CpuTimes&) const = default;
};

/// One line of /proc/stat: of a CPU, or the sum of all. nullopt: no such line, or a kernel before 2.6.11 (no steal).
[[nodiscard]] std::optional<CpuTimes> parse_cpu_times(std::string_view text, std::optional<int> cpu = {});

/// Errors: kEnvironment when /proc/stat cannot be read or has no such CPU.
[[nodiscard]] core::Expected<CpuTimes> cpu_times(std::optional<int> cpu = {});

/// Steal among the ticks in which the CPU was wanted (busy + steal), 0 to 1. nullopt when there was none: nothing was
/// measured, or the interval is shorter than a tick.
[[nodiscard]] std::optional<double> steal_share(const CpuTimes& before, const CpuTimes& after);

}  // namespace tare::pmu
