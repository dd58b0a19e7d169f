// At stake: 2 % of a second on the measured CPU, and which of hypervisor, neighbours and others took it. One tick of
// /proc/stat is 1 %, so what others ran here comes from the thread's own clock.
#include "pmu/cpu_use.h"

#include <gmock/gmock.h>

namespace tare::pmu {
namespace {

using testing::DoubleNear;
using testing::Optional;

constexpr double kClose = 1e-12;

AllCpuTimes four_cpus() {
    return {{0, {1000, 5000, 10}}, {1, {2000, 4000, 20}}, {2, {0, 0, 0}}, {3, {50, 5950, 0}}};
}

TEST(AllCpuTimes, AreThoseOfTheNumberedLines) {
    EXPECT_EQ(parse_all_cpu_times("cpu  30 0 0 0 0 0 0 0 0 0\n"
                                  "cpu0 1 2 3 4 5 6 7 8 0 0\n"
                                  "cpu2 broken\n"
                                  "cpu11 10 20 30 40 50 60 70 80 0 0\n"
                                  "intr 1 2\n"
                                  "cpu12 1 2 3 4 5 6 7 8 0 0\n"),
              (AllCpuTimes{{0, {1 + 2 + 3 + 6 + 7, 9, 8}}, {11, {190, 90, 80}}}));
    EXPECT_TRUE(parse_all_cpu_times("").empty());
    EXPECT_TRUE(parse_all_cpu_times("cpu").empty());
}

TEST(CpuUse, TellsStealFromOthersHereAndElsewhere) {
    AllCpuTimes after = four_cpus();
    after[1] = {2000 + 90, 4000, 20 + 10};  // ours: 10 of 100 ticks stolen
    after[0] = {1000 + 25, 5000 + 75, 10};
    after[2] = {100, 0, 0};
    after[3] = {50, 5950 + 100, 0};
    const CpuUse use = cpu_use(four_cpus(), after, 1, {3}, {.wall_ns = 1'000'000'000, .cpu_ns = 850'000'000});
    EXPECT_THAT(use.steal_ratio, Optional(DoubleNear(0.10, kClose)));
    EXPECT_THAT(use.others_here_ratio, Optional(DoubleNear(0.05, kClose)));
    EXPECT_THAT(use.others_elsewhere, Optional(DoubleNear(1.25, kClose)));
    EXPECT_THAT(use.busiest_sibling_ratio, Optional(0.0));
    EXPECT_EQ(use.other_cpus, 3);
}

TEST(CpuUse, CountsTheBusiestOfSeveralSiblings) {
    AllCpuTimes after = four_cpus();
    after[0].busy_ticks += 100;
    after[2] = {40, 60, 0};
    after[3] = {50 + 80, 5950 + 20, 0};
    EXPECT_THAT(cpu_use(four_cpus(), after, 1, {2, 3}, {}).busiest_sibling_ratio, Optional(DoubleNear(0.8, kClose)));
    EXPECT_EQ(cpu_use(four_cpus(), after, 1, {}, {}).busiest_sibling_ratio, std::nullopt);
}

TEST(CpuUse, NeverShowsLessThanNothingOfOthers) {
    AllCpuTimes after = four_cpus();
    after[1].busy_ticks += 90;
    after[1].steal_ticks += 10;
    const CpuUse use = cpu_use(four_cpus(), after, 1, {}, {.wall_ns = 1000, .cpu_ns = 990});  // steal is in our time
    EXPECT_THAT(use.others_here_ratio, Optional(0.0));
}

TEST(CpuUse, OfAnIntervalThatSaysNothingIsUnknown) {
    EXPECT_EQ(cpu_use(four_cpus(), four_cpus(), 1, {3}, {}), CpuUse{});
    AllCpuTimes after = four_cpus();
    after[1].busy_ticks -= 1;  // offline and back
    after[0].steal_ticks -= 1;
    EXPECT_EQ(cpu_use(four_cpus(), after, 1, {0}, {}), CpuUse{});
    EXPECT_EQ(cpu_use({}, {{0, {1, 1, 1}}}, 0, {}, {}).steal_ratio, std::nullopt) << "came online meanwhile";
}

TEST(CpuUse, TakesAnIdleTimeThatWentBackForNone) {
    AllCpuTimes after = four_cpus();
    after[1] = {2000 + 99, 4000 - 1, 20 + 1};
    EXPECT_THAT(cpu_use(four_cpus(), after, 1, {}, {}).steal_ratio, Optional(DoubleNear(0.01, kClose)));
}

TEST(StealSinceBoot, IsThatOfAllCpusAmongTheTimeThatWasWanted) {
    EXPECT_THAT(steal_ratio_since_boot(four_cpus()), Optional(DoubleNear(30.0 / 3080, kClose)));
    EXPECT_EQ(steal_ratio_since_boot({}), std::nullopt);
}

}  // namespace
}  // namespace tare::pmu
