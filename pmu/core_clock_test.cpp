// At stake: cycles that nobody counted. A chain that a core runs faster or slower than is assumed, or that holds the
// reading of the clock, makes all of them wrong by the same factor, and no interval shows it.
#include "pmu/core_clock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "harness/core/clock.h"
#include "harness/core/median.h"

namespace tare::pmu {
namespace {

constexpr std::uint64_t kRotations = 64'000;

/// Rotations, each of which waits for the one before: a cycle each on every core of the last 20 years.
void rotate() {
    std::uint64_t bits = 0x9e37'79b9'7f4a'7c15ULL, rounds = kRotations / 32;
#if defined(__x86_64__)
    asm volatile("1:\n\t.rept 32\n\tror $1, %[bits]\n\t.endr\n\tdec %[rounds]\n\tjnz 1b"
                 : [bits] "+r"(bits), [rounds] "+r"(rounds)
                 :
                 : "cc");
#else
    asm volatile("1:\n\t.rept 32\n\tror %[bits], %[bits], #1\n\t.endr\n\tsubs %[rounds], %[rounds], #1\n\tb.ne 1b"
                 : [bits] "+r"(bits), [rounds] "+r"(rounds)
                 :
                 : "cc");
#endif
}

/// Other instructions than the chain's own, of which it is known what they take. A neighbour delays both alike, a
/// preemption one of 101 tries; a chain of another length would be 33 % off.
TEST(CoreClock, TellsTheCyclesOfOtherWorkThatIsKnown) {
    std::vector<double> cycles;
    for (int i = 0; i < 101; ++i) {
        const double before_ns = time_chain_ns();
        const std::int64_t begin_ns = core::wall_clock_ns();
        rotate();
        const auto wall_ns = static_cast<double>(core::wall_clock_ns() - begin_ns);
        cycles.push_back(cycles_between(before_ns, wall_ns, time_chain_ns()));
    }
    EXPECT_NEAR(core::median(cycles) / kRotations, 1, 0.1);
}

TEST(CoreClock, GoesByTheMeanOfBothChains) {
    EXPECT_DOUBLE_EQ(cycles_between(2000, 1000, 2000), 3000);
    EXPECT_DOUBLE_EQ(cycles_between(1500, 1000, 2500), 3000);
    EXPECT_DOUBLE_EQ(cycles_between(1000, 500, 1000), 3000);
}

}  // namespace
}  // namespace tare::pmu
