// What else decides how well one CPU measures, beyond what a record says of the machine: read, never changed. No
// privileges. Any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "harness/core/value.h"

namespace tare::pmu {

/// A map in the manner of machine_facts(): a fact that cannot be had is nil, with its reason in `reasons`.
///
/// text    governor (of this CPU) scaling_driver turbo_control ("intel_pstate", "boost": which file switches turbo)
/// int     nmi_watchdog thermal_throttles (of the core and its package since boot) throttled_periods (of the control
///         group) memory_available_bytes swap_total_bytes swap_free_bytes
/// double  cpu_quota_cpus (nil where there is no limit)
/// bool    cpu_limited (a control group limits CPU time) fixed_addresses (this process runs under setarch -R)
/// lists   smt_siblings (without the CPU itself) nohz_full_cpus rcu_nocbs_cpus available_clocksources
[[nodiscard]] core::Value measuring_conditions(int cpu, const std::filesystem::path& root = "/");

/// How often the CPU's core and package were throttled since boot; nullopt where the kernel does not count.
[[nodiscard]] std::optional<std::int64_t> thermal_throttles(int cpu, const std::filesystem::path& root = "/");

}  // namespace tare::pmu
