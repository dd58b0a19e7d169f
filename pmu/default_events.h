// The event of each CPU that a role means, as tables of code: no library has to know the CPU for its defaults to count.
// Generic names will not do: `cache-misses` is the last level on Intel, the second on Zen, the first on Arm. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "harness/core/counter.h"
#include "pmu/core_pmu.h"
#include "pmu/cpu_kind.h"

namespace tare::pmu {

/// What "default" asks for, in this order.
inline constexpr std::array kDefaultRoles = {
    core::CounterRole::kCycles,       core::CounterRole::kInstructions,    core::CounterRole::kBranches,
    core::CounterRole::kBranchMisses, core::CounterRole::kL1dMisses,       core::CounterRole::kL2Misses,
    core::CounterRole::kLlcMisses,    core::CounterRole::kDtlbWalks,       core::CounterRole::kTaskClock,
    core::CounterRole::kPageFaults,   core::CounterRole::kContextSwitches,
};

/// The roles that a PMU counts; the others are the kernel's.
[[nodiscard]] constexpr bool is_hardware(core::CounterRole role) {
    return role <= core::CounterRole::kDtlbWalks;
}

struct RoleEvent {
    std::string event;       ///< in libpfm's grammar; empty where there is a problem
    std::uint32_t type = 0;  ///< PERF_TYPE_RAW, or PERF_TYPE_HARDWARE of an unknown CPU
    std::uint64_t config = 0;
    std::optional<core::CounterProblem> problem;  ///< why no event of this CPU means the role for one thread
    bool operator==(const RoleEvent&) const = default;
};

/// Of a role for which is_hardware().
[[nodiscard]] RoleEvent role_event(core::CounterRole role, const CpuKind& kind);

/// What a role counts, in a few words.
[[nodiscard]] std::string_view description_of(core::CounterRole role);

}  // namespace tare::pmu
