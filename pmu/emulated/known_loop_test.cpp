// Number at stake: 2n instructions in a loop of n iterations, for n from 10 to 100,000, to the last one: through
// CounterSet, the real perf_event_open and a PMU. What a reading adds is one constant, and an empty call reads just it.
#include "pmu/emulated/known_loop.h"

#include <fmt/core.h>
#include <sched.h>

#include "pmu/cpu_pin.h"
#include "pmu/emulated/counting_machine.h"
#include "pmu/plain_counter_for_test.h"

namespace tare::pmu::emulated {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::SizeIs;

constexpr std::uint64_t kIterations[] = {10, 100, 1'000, 10'000, 100'000};

TEST_F(EmulatedMachine, LoopReadsTwiceItsIterationsAndOneConstant) {
    CounterSet set = CounterSet::open({cycles(), instructions()}, linux_kernel());
    ASSERT_THAT(set.counters().passes, SizeIs(1)) << described(set);
    (void)counted(set, 0, tare_known_loop, 10);  // the pages of all this are there after it
    const auto empty = counted(set, 0, tare_empty_call, 10);
    ASSERT_THAT(empty, SizeIs(2));
    fmt::print("figure: {:>7} {:>9} {:>14} {:>6} {:>6}\n", "n", "cycles", "instructions", "- 2n", "net");
    fmt::print("figure: {:>7} {:>9} {:>14} {:>6}\n", "empty", empty[0], empty[1], empty[1]);
    for (const std::uint64_t n : kIterations) {
        const auto gross = counted(set, 0, tare_known_loop, n);
        ASSERT_THAT(gross, SizeIs(2));
        const auto expected = static_cast<std::int64_t>(2 * n);
        fmt::print("figure: {:>7} {:>9} {:>14} {:>6} {:>6}\n", n, gross[0], gross[1], gross[1] - expected,
                   gross[1] - empty[1]);
        EXPECT_EQ(gross[1] - empty[1], expected) << "instructions of " << n << " iterations";
        EXPECT_EQ(gross[0] - empty[0], expected) << "cycles of " << n << " iterations";
    }
}

TEST_F(EmulatedMachine, RepeatsAreIdentical) {
    CounterSet set = CounterSet::open({cycles(), instructions()}, linux_kernel());
    ASSERT_THAT(set.counters().passes, SizeIs(1)) << described(set);
    const auto first = counted(set, 0, tare_known_loop, 100'000);
    ASSERT_THAT(first, SizeIs(2));
    for (int repeat = 0; repeat < 5; ++repeat) EXPECT_EQ(counted(set, 0, tare_known_loop, 100'000), first);
}

TEST_F(EmulatedMachine, WholeTimeIsCountedByAPinnedGroup) {
    CounterSet set = CounterSet::open({cycles(), instructions()}, linux_kernel());
    ASSERT_THAT(set.counters().passes, SizeIs(1)) << described(set);
    (void)counted(set, 0, tare_known_loop, 1'000'000);
    EXPECT_GT(set.difference().enabled_ns, 1'000'000U);
    EXPECT_EQ(set.difference().running_ns, set.difference().enabled_ns);
}

TEST_F(CountedMachine, LoopReadsTwiceItsIterationsWithinAThousandth) {
    const auto pin = CpuPin::pin(::sched_getcpu());  // cores of a hybrid CPU have counters of their own
    if (!counts_the_loop(PERF_COUNT_HW_INSTRUCTIONS)) GTEST_SKIP() << "the PMU does not count, or not for this process";
    CounterSet set = CounterSet::open({instructions()}, linux_kernel());
    ASSERT_THAT(set.counters().passes, SizeIs(1)) << described(set);
    const auto gross = counted(set, 0, tare_known_loop, 10'000'000);
    ASSERT_THAT(gross, SizeIs(1));
    EXPECT_NEAR(static_cast<double>(gross[0]), 2e7, 2e4);
}

}  // namespace
}  // namespace tare::pmu::emulated
