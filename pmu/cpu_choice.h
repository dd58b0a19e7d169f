// On which CPU to measure: those that this process may use, and one of them. Reads the affinity of the calling thread.
#pragma once

#include <optional>
#include <vector>

#include "harness/core/error.h"

namespace tare::pmu {

/// The CPUs of the calling thread's affinity mask, ascending. Errors: kEnvironment.
[[nodiscard]] core::Expected<std::vector<int>> allowed_cpus();

/// The CPU asked for, else the last one allowed: the first ones serve most interrupts. Errors: kUsage when the one
/// asked for is not allowed; it names those that are.
[[nodiscard]] core::Expected<int> pick_cpu(std::optional<int> asked, const std::vector<int>& allowed);
[[nodiscard]] core::Expected<int> pick_cpu(std::optional<int> asked);

/// `cpu`, and as many others as `threads` threads need: the last ones allowed. Errors: kUsage where there are too few.
[[nodiscard]] core::Expected<std::vector<int>> cpus_for_threads(int cpu, int threads, const std::vector<int>& allowed);
[[nodiscard]] core::Expected<std::vector<int>> cpus_for_threads(int cpu, int threads);

}  // namespace tare::pmu
