// All that fitness() judges, of one CPU: what the machine says of itself, and what a thread sees that keeps the CPU
// busy for a moment. Reads and spins; changes nothing but the calling thread's CPU, and that only while it looks.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>

#include "harness/core/error.h"
#include "harness/core/value.h"

namespace tare::pmu {

struct Look {
    int cpu = 0;
    std::int64_t spin_ns = 1'000'000'000;  ///< a tick of /proc/stat is then 1 %
    std::function<bool()> stop;            ///< asked now and then; true: at once
};

/// machine_facts() and measuring_conditions() in one map, and of the moment:
///
/// int     cpu spun_ns gaps gap_threshold_ns longest_gap_ns clock_step_ns involuntary_switches other_cpus
///         thermal_throttles_meanwhile throttled_periods_meanwhile
/// double  clock_cost_ns lost_ratio (time in gaps) steal_ratio steal_ratio_since_boot others_here_ratio
///         others_elsewhere_cpus busiest_sibling_ratio
///
/// Errors: kEnvironment where the CPU cannot be used, kInterrupted where `stop` said so.
[[nodiscard]] core::Expected<core::Value> fitness_facts(const Look& look);

/// Maps of facts as one, their reasons too.
[[nodiscard]] core::Value merged(std::initializer_list<const core::Value*> parts);

}  // namespace tare::pmu
