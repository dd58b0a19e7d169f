// The CPU time that control groups grant this process: cpu.max of version 2, cpu.cfs_quota_us of version 1. A process
// that has used up its share stands still until the next period. Any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include "harness/core/error.h"

namespace tare::pmu {

struct CpuQuota {
    std::optional<double> cpus;                     ///< CPUs' worth of time, of the narrowest group; nullopt: no limit
    std::optional<std::int64_t> throttled_periods;  ///< of that group since it was made; nullopt: it does not say
    bool operator==(const CpuQuota&) const = default;
};

/// Of the calling process, its group and the groups above it, as far as they are visible. `root` is "/" but in tests.
/// Errors: kEnvironment where no file of a CPU controller can be read.
[[nodiscard]] core::Expected<CpuQuota> cpu_quota(const std::filesystem::path& root = "/");

/// "150000 100000" as 1.5; nullopt for "max 100000" and for what is no quota.
[[nodiscard]] std::optional<double> parse_cpu_max(std::string_view text);

/// nr_throttled of cpu.stat.
[[nodiscard]] std::optional<std::int64_t> parse_throttled_periods(std::string_view text);

/// The group's path in /proc/self/cgroup: of version 2 (controller empty), or of a controller of version 1.
[[nodiscard]] std::optional<std::string_view> parse_cgroup(std::string_view text, std::string_view controller);

}  // namespace tare::pmu
