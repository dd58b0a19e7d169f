// Who used the CPUs during an interval in which one thread kept one CPU busy: the hypervisor, others on that CPU,
// others elsewhere. From two readings of /proc/stat and the thread's own clocks. Any thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "pmu/cpu_times.h"

namespace tare::pmu {

/// By CPU number.
using AllCpuTimes = std::map<int, CpuTimes>;

/// Lines of /proc/stat that cannot be read are left out.
[[nodiscard]] AllCpuTimes parse_all_cpu_times(std::string_view text);

/// What the busy thread says of itself.
struct OwnTime {
    std::int64_t wall_ns = 0;
    std::int64_t cpu_ns = 0;
    bool operator==(const OwnTime&) const = default;
};

/// Shares are of the interval, 0 to 1. nullopt: the two readings do not say.
struct CpuUse {
    std::optional<double> steal_ratio;            ///< that the hypervisor kept from the CPU
    std::optional<double> others_here_ratio;      ///< that others ran on the CPU, interrupts among them
    std::optional<double> others_elsewhere;       ///< CPUs that were busy besides this one, 0 to `other_cpus`
    std::optional<double> busiest_sibling_ratio;  ///< of the hardware threads that share its core
    int other_cpus = 0;
    bool operator==(const CpuUse&) const = default;
};

/// `siblings` without the CPU itself. /proc/stat counts in ticks of 10 ms: one tick in a second is 1 %.
[[nodiscard]] CpuUse cpu_use(const AllCpuTimes& before, const AllCpuTimes& after, int cpu,
                             const std::vector<int>& siblings, const OwnTime& own);

/// Steal since boot, of all CPUs, among the time in which they were wanted.
[[nodiscard]] std::optional<double> steal_ratio_since_boot(const AllCpuTimes& times);

}  // namespace tare::pmu
