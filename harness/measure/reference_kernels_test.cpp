// At stake: that the references say something: they take cycles, each its own, wherever they run, and no more where the
// clock is slower.
#include "harness/measure/reference_kernels.h"

#include <gmock/gmock.h>

#include "harness/core/median.h"

namespace tare::measure {
namespace {

TEST(ReferenceKernels, TakeTheSameCyclesAtASlowerClock) {
    const core::References fast = references_of(1'720, 900, 500), slow = references_of(1'892, 990, 550);
    EXPECT_DOUBLE_EQ(fast.clock_ghz, 6'000.0 / 1'720);
    EXPECT_DOUBLE_EQ(fast.l1_cycles, 6'000.0 / 1'720 * 900);
    EXPECT_DOUBLE_EQ(slow.l1_cycles, fast.l1_cycles);
    EXPECT_DOUBLE_EQ(slow.alu_cycles, fast.alu_cycles);
    EXPECT_DOUBLE_EQ(slow.clock_ghz, fast.clock_ghz / 1.1);
}

/// A limit that no core can reach, and one that each does.
TEST(AwaitQuiet, TakesReferencesOnceAndAgainOnlyWhileThereIsPatience) {
    EXPECT_GT(await_quiet(0, 1'000'000'000).references.l1_cycles, 0) << "no limit";
    EXPECT_EQ(await_quiet(0, 1'000'000'000).waited_ns, 0);
    EXPECT_EQ(await_quiet(1, 0).waited_ns, 0);
    EXPECT_EQ(await_quiet(1e12, 1'000'000'000).waited_ns, 0) << "the first would do";
    const Awaited awaited = await_quiet(1, 2'000'000);
    EXPECT_GE(awaited.waited_ns, 2'000'000);
    EXPECT_GT(awaited.references.l1_cycles, 1);
}

#if defined(__x86_64__)
TEST(ReferenceKernels, TakeTheCyclesOfTheirInstructions) {
    // 3,000 rounds of ten instructions and 2,000 of nine, of which no core executes more than 12 at once. A preemption
    // of the chain beside them makes one reading of 101 too small.
    constexpr double kLeastL1 = 3000.0 * 10 / 12, kLeastAlu = 2000.0 * 9 / 12;
    constexpr double kMostGhz = 8, kLeastGhz = 0.1;
    std::vector<double> l1, alu, clock;
    for (int i = 0; i < 101; ++i) {
        const core::References taken = time_references();
        l1.push_back(taken.l1_cycles);
        alu.push_back(taken.alu_cycles);
        clock.push_back(taken.clock_ghz);
    }
    EXPECT_GT(core::median(l1), kLeastL1);
    EXPECT_GT(core::median(alu), kLeastAlu);
    EXPECT_GT(core::median(clock), kLeastGhz);
    EXPECT_LT(core::median(clock), kMostGhz);
}
#else
TEST(ReferenceKernels, AreNoneOnThisArchitecture) {
    EXPECT_EQ(time_references(), core::References{});
}
#endif

}  // namespace
}  // namespace tare::measure
