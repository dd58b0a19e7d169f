// The context of a record: machine, subject, host and harness, as one map.
#pragma once

#include <optional>

#include "harness/cli/workbench.h"
#include "harness/core/value.h"
#include "pmu/cpu_times.h"

namespace tare::cli {

/// What is known before the first worker runs.
[[nodiscard]] core::Map context_at_start(const Workbench& bench, int cpu, double started_s);

/// Adds what a worker says of the subject.
void add_subject(core::Map& context, const core::Value& facts);

/// Adds what only the end of the run knows: duration, load, and the share of time that the hypervisor kept from `cpu`.
void add_end(core::Map& context, double started_s, const core::Expected<pmu::CpuTimes>& before, int cpu);

/// What the run was asked to do.
[[nodiscard]] core::Map run_settings(const Options& options, std::uint64_t seed, std::size_t cases);

}  // namespace tare::cli
