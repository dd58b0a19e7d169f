// How fast the core's clock runs, where no PMU tells: a chain of instructions of which each waits for the one before
// takes the same number of cycles whatever else the core does, another program on its other thread included.
#pragma once

#include <algorithm>

namespace tare::pmu {

/// What the chain takes. x86-64: 32-bit multiplications, 3 cycles each on Intel's cores since Nehalem (2008) and on all
/// of AMD's Zen (uops.info, "IMUL_R32_R32"). aarch64: additions of registers, 1 cycle each (Arm's optimisation guides
/// of Cortex-A and Neoverse).
inline constexpr double kChainCycles = 6000;

/// Nanoseconds that the chain takes now, 2 us at 3 GHz, without what the reading of the clock around it takes.
[[nodiscard]] double time_chain_ns() noexcept;

/// Core cycles in `wall_ns` between two chains, by the mean of their times. A chain that took more than twice as long
/// as the other was interrupted and does not count: no clock changes so much in a batch. Both are above 0.
[[nodiscard]] constexpr double cycles_between(double chain_before_ns, double wall_ns, double chain_after_ns) {
    constexpr double kMostApart = 2;
    const double shorter_ns = std::min(chain_before_ns, chain_after_ns);
    const double longer_ns = std::max(chain_before_ns, chain_after_ns);
    const double chain_ns = longer_ns > kMostApart * shorter_ns ? shorter_ns : 0.5 * (shorter_ns + longer_ns);
    return kChainCycles * wall_ns / chain_ns;
}

}  // namespace tare::pmu
