// References: how long fixed pieces of work took just before and just after a batch. A neighbour that takes part of the
// core, or of its caches, slows them with the batch, whatever the batch itself does. In cycles of the core's clock, as
// a chain of dependent instructions beside them tells it (pmu/core_clock.h): a clock that changes, by 10 % from one
// minute to the next on a VM, is no neighbour.
#pragma once

#include <algorithm>

namespace tare::core {

/// Of each kernel the slower of two readings; 0: not taken.
struct References {
    double l1_cycles = 0;   ///< loads and stores that the first-level cache serves
    double alu_cycles = 0;  ///< additions that do not wait for each other
    double clock_ghz = 0;   ///< core cycles a nanosecond

    bool operator==(const References&) const = default;
};

/// A reading of the loads that is so far below the best, as a ratio, cannot be: the chain beside it was held up, by an
/// exit to the hypervisor, and the cycles that it is counted in are too long. Nor does a clock fall so far within a
/// batch of 0.05 ms; within one of many milliseconds it may, and then the faster reading stands for it.
inline constexpr double kHeldUpRatio = 0.1;

/// Two readings beside one batch: of each kernel the slower one, and the clock between them; of one that was held up
/// the other.
[[nodiscard]] constexpr References slower_of(const References& one, const References& other) {
    const double slow_ghz = std::min(one.clock_ghz, other.clock_ghz);
    const double fast_ghz = std::max(one.clock_ghz, other.clock_ghz);
    return {std::max(one.l1_cycles, other.l1_cycles), std::max(one.alu_cycles, other.alu_cycles),
            slow_ghz < (1 - kHeldUpRatio) * fast_ghz ? fast_ghz : (slow_ghz + fast_ghz) / 2};
}

/// Farther from each other, as a ratio, two clocks do not say what the times at one would be at the other: caches and
/// memory beyond the core have clocks of their own.
inline constexpr double kFarthestClockRatio = 0.2;

/// False where one is unknown (0).
[[nodiscard]] constexpr bool are_near_clocks(double one_ghz, double other_ghz) {
    return one_ghz > 0 && other_ghz > 0 && one_ghz <= (1 + kFarthestClockRatio) * other_ghz &&
           other_ghz <= (1 + kFarthestClockRatio) * one_ghz;
}

/// What a batch's references may exceed the machine's best by, as a ratio, for the batch to be quiet. On a VM beside
/// neighbours 54.6 % of the readings lay within 3 % of the best, 4.4 % between that and 10 %, where batches were 5 to
/// 17 % slower on average, and the others above (harness/docs/quiet.md).
inline constexpr double kQuietLimit = 0.05;

/// Whether nobody else used the core. The loads decide: they are slowed first and most. What was not taken, or cannot
/// be compared because no best is known, is no reason to leave a batch out.
[[nodiscard]] constexpr bool is_quiet(const References& taken, const References& best, double limit = kQuietLimit) {
    return !(best.l1_cycles > 0) ||
           (taken.l1_cycles <= (1 + limit) * best.l1_cycles && taken.l1_cycles >= (1 - kHeldUpRatio) * best.l1_cycles);
}

/// Whether the additions agree, which decide nothing.
[[nodiscard]] constexpr bool is_confirmed(const References& taken, const References& best, double limit = kQuietLimit) {
    return !(best.alu_cycles > 0) || (taken.alu_cycles <= (1 + limit) * best.alu_cycles &&
                                      taken.alu_cycles >= (1 - kHeldUpRatio) * best.alu_cycles);
}

}  // namespace tare::core
