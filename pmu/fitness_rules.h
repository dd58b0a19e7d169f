// The rules of fitness(), one a topic: facts to a finding. A rule sets the state, what was found, what that means, the
// cause that the verdict names, and remedies; never a remedy that it cannot say how to undo. Pure; for pmu/fitness*.
#pragma once

#include "harness/core/fitness.h"
#include "harness/core/value.h"

namespace tare::pmu {

// fitness_counters.cpp
[[nodiscard]] core::Finding judge_pmu(const core::Value& facts);
[[nodiscard]] core::Finding judge_perf_event_paranoid(const core::Value& facts);
[[nodiscard]] core::Finding judge_nmi_watchdog(const core::Value& facts);
// fitness_clock.cpp
[[nodiscard]] core::Finding judge_timer(const core::Value& facts);
[[nodiscard]] core::Finding judge_governor(const core::Value& facts);
[[nodiscard]] core::Finding judge_turbo(const core::Value& facts);
[[nodiscard]] core::Finding judge_thermal(const core::Value& facts);
// fitness_company.cpp
[[nodiscard]] core::Finding judge_smt(const core::Value& facts);
[[nodiscard]] core::Finding judge_quiet(const core::Value& facts);
[[nodiscard]] core::Finding judge_isolation(const core::Value& facts);
[[nodiscard]] core::Finding judge_affinity(const core::Value& facts);
[[nodiscard]] core::Finding judge_load(const core::Value& facts);
[[nodiscard]] core::Finding judge_jitter(const core::Value& facts);
// fitness_host.cpp
[[nodiscard]] core::Finding judge_virtualization(const core::Value& facts);
[[nodiscard]] core::Finding judge_container(const core::Value& facts);
[[nodiscard]] core::Finding judge_cpu_quota(const core::Value& facts);
[[nodiscard]] core::Finding judge_steal(const core::Value& facts);
// fitness_memory.cpp
[[nodiscard]] core::Finding judge_aslr(const core::Value& facts);
[[nodiscard]] core::Finding judge_huge_pages(const core::Value& facts);
[[nodiscard]] core::Finding judge_swap(const core::Value& facts);
[[nodiscard]] core::Finding judge_memory(const core::Value& facts);

}  // namespace tare::pmu
