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

#if defined(__x86_64__)
constexpr double kWorkCycles = 3 * 32'000;  // crc32 of 64 bits: 3 on all cores that have it (uops.info)
#else
constexpr double kWorkCycles = 64'000;
#endif

/// Instructions that wait for each other and that the chain has none of. On x86-64 they need a port as seldom as the
/// chain does, so that a program on the core's other thread does not delay one more than the other.
void work() {
    std::uint64_t bits = 0x9e37'79b9'7f4a'7c15ULL, rounds = 1000;
#if defined(__x86_64__)
    asm volatile("1:\n\t.rept 32\n\tcrc32q %[other], %[bits]\n\t.endr\n\tdec %[rounds]\n\tjnz 1b"
                 : [bits] "+r"(bits), [rounds] "+r"(rounds)
                 : [other] "r"(std::uint64_t{7})
                 : "cc");
#else
    asm volatile("1:\n\t.rept 64\n\tror %[bits], %[bits], #3\n\t.endr\n\tsubs %[rounds], %[rounds], #1\n\tb.ne 1b"
                 : [bits] "+r"(bits), [rounds] "+r"(rounds)
                 :
                 : "cc");
#endif
}

/// Reading the clock: of a tenth of a microsecond by the vDSO, of 2 us where it is a device.
double reading_ns() {
    std::vector<double> readings;
    for (int i = 0; i < 101; ++i) {
        const std::int64_t begin_ns = core::wall_clock_ns();
        readings.push_back(static_cast<double>(core::wall_clock_ns() - begin_ns));
    }
    return core::median(readings);
}

/// A preemption delays one of 101 tries; a chain of another length than is assumed would be 33 % off.
TEST(CoreClock, TellsTheCyclesOfOtherWorkThatIsKnown) {
#if defined(__x86_64__)
    // crc32 came with SSE4.2 (2008), which x86-64 does not promise; without it the process would end by SIGILL.
    if (!__builtin_cpu_supports("sse4.2")) GTEST_SKIP() << "this CPU has no crc32";
#endif
    const double of_clock_ns = reading_ns();
    std::vector<double> cycles;
    for (int i = 0; i < 101; ++i) {
        const double before_ns = time_chain_ns();
        const std::int64_t begin_ns = core::wall_clock_ns();
        work();
        const auto wall_ns = static_cast<double>(core::wall_clock_ns() - begin_ns);
        cycles.push_back(cycles_between(before_ns, wall_ns - of_clock_ns, time_chain_ns()));
    }
    EXPECT_NEAR(core::median(cycles) / kWorkCycles, 1, 0.1);
}

TEST(CoreClock, GoesByTheMeanOfBothChainsButNotByOneThatWasInterrupted) {
    EXPECT_DOUBLE_EQ(cycles_between(2000, 1000, 2000), 3000);
    EXPECT_DOUBLE_EQ(cycles_between(1500, 1000, 2500), 3000);
    EXPECT_DOUBLE_EQ(cycles_between(1000, 500, 1000), 3000);
    EXPECT_DOUBLE_EQ(cycles_between(4'000'000, 1000, 2000), 3000) << "it took a time slice";
    EXPECT_DOUBLE_EQ(cycles_between(2000, 1000, 4'000'000), 3000);
}

}  // namespace
}  // namespace tare::pmu
