// At stake: the steal that explains a slow run on a shared machine; 0 may only mean that none was measured to be
// stolen.
#include "pmu/cpu_times.h"

#include <gmock/gmock.h>

namespace tare::pmu {
namespace {

constexpr const char* kStat =
    "cpu  5992 10 1172 262014 674 3 90 4 7 0\n"
    "cpu0 3508 0 634 130309 481 0 29 2 0 0\n"
    "cpu10 1 2 3 4 5 6 7 8 0 0\n"
    "intr 187322 0 0\n";

TEST(CpuTimes, SumBusyAndIdleWithoutCountingGuestsTwice) {
    EXPECT_EQ(parse_cpu_times(kStat), (CpuTimes{5992 + 10 + 1172 + 3 + 90, 262014 + 674, 4}));
}

TEST(CpuTimes, OfOneCpuAreItsOwn) {
    EXPECT_EQ(parse_cpu_times(kStat, 0), (CpuTimes{3508 + 634 + 29, 130309 + 481, 2}));
    EXPECT_EQ(parse_cpu_times(kStat, 10), (CpuTimes{1 + 2 + 3 + 6 + 7, 9, 8}));
    EXPECT_EQ(parse_cpu_times(kStat, 1), std::nullopt);
}

TEST(CpuTimes, OfAKernelWithoutStealAreUnknown) {
    EXPECT_EQ(parse_cpu_times("cpu  1 2 3 4 5 6 7\n"), std::nullopt);
    EXPECT_EQ(parse_cpu_times("cpu  1 2 3 4 5 6 x 8\n"), std::nullopt);
    EXPECT_EQ(parse_cpu_times(""), std::nullopt);
}

TEST(StealShare, IsTheStolenPartOfTheTimeThatWasWanted) {
    EXPECT_EQ(steal_share({100, 1000, 10}, {175, 9000, 35}), 0.25);
    EXPECT_EQ(steal_share({100, 1000, 10}, {200, 1000, 10}), 0.0);
}

TEST(StealShare, OfAnIntervalThatSaysNothingIsUnknown) {
    EXPECT_EQ(steal_share({100, 1000, 10}, {100, 2000, 10}), std::nullopt) << "idle throughout";
    EXPECT_EQ(steal_share({100, 1000, 10}, {50, 1000, 12}), std::nullopt) << "counters went backwards";
}

TEST(CpuTimes, OfThisMachineDoNotGoBackwards) {
    const core::Expected<CpuTimes> before = cpu_times();
    const core::Expected<CpuTimes> after = cpu_times();
    ASSERT_TRUE(before && after);
    if (*before == CpuTimes{}) GTEST_SKIP() << "this kernel's /proc/stat counts nothing";
    EXPECT_GT(before->busy_ticks, 0);
    EXPECT_GE(after->busy_ticks, before->busy_ticks);
    EXPECT_EQ(cpu_times(100000).error().what, "/proc/stat has no times of CPU 100000");
}

}  // namespace
}  // namespace tare::pmu
