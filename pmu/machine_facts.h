// What a record must say about the machine: read from /proc and /sys, no privileges, no CPUID. Any thread.
#pragma once

#include <filesystem>

#include "harness/core/value.h"

namespace tare::pmu {

/// A map. A fact that cannot be had is nil and has its reason under the same key in `reasons`.
///
/// text     cpu_model cpu_vendor cpu_microcode smt kernel_release architecture host_name transparent_hugepage
///          clocksource virtualization ("kvm", "none") hypervisor_vendor (DMI) container ("docker", "none")
///          fingerprint: 16 hexadecimal digits over model, microcode, kernel and virtualization
/// int      cpu_family cpu_model_number cpu_stepping num_cpus (online) aslr (randomize_va_space) perf_event_paranoid
///          memory_total_bytes steal_ticks (since boot)
/// double   mhz_per_cpu
/// bool     hypervisor cpu_scaling_enabled turbo
/// lists    cpu_flags, governors (one text per online CPU), load_avg (1, 5, 15 minutes), isolated_cpus, affinity,
///          caches: maps of type ("Data", "Instruction", "Unified"), level, size_bytes, num_sharing
///
/// `root` is "/" but in tests.
[[nodiscard]] core::Value machine_facts(const std::filesystem::path& root = "/");

}  // namespace tare::pmu
