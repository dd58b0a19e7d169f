// At stake: that a run is pinned where it may run, or told where it may, before anything is measured.
#include "pmu/cpu_choice.h"

#include <gmock/gmock.h>
#include <sched.h>

#include <thread>

namespace tare::pmu {
namespace {

using core::ErrorCode;
using core::Expected;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(PickCpu, TakesTheLastOneUnlessAsked) {
    EXPECT_EQ(pick_cpu(std::nullopt, {2, 3, 7}), 7);
    EXPECT_EQ(pick_cpu(3, {2, 3, 7}), 3);
}

TEST(PickCpu, RefusesACpuOutsideTheMaskAndNamesThoseInside) {
    for (const int asked : {0, -1, 8}) {
        const Expected<int> cpu = pick_cpu(asked, {2, 3, 7});
        ASSERT_FALSE(cpu) << asked;
        EXPECT_EQ(cpu.error().code, ErrorCode::kUsage);
        EXPECT_THAT(cpu.error().what, HasSubstr("--cpu " + std::to_string(asked) + ": "));
        EXPECT_THAT(cpu.error().what, HasSubstr("only on CPU 2-3,7"));
        EXPECT_THAT(cpu.error().hint, HasSubstr("taskset"));
    }
    EXPECT_EQ(pick_cpu(0, {}).error().code, ErrorCode::kEnvironment);
}

TEST(CpusForThreads, AreTheMeasuredOneAndTheLastOthersAllowed) {
    EXPECT_THAT(cpus_for_threads(3, 1, {2, 3, 7}).value(), ElementsAre(3));
    EXPECT_THAT(cpus_for_threads(3, 2, {2, 3, 7}).value(), ElementsAre(3, 7));
    EXPECT_THAT(cpus_for_threads(7, 3, {2, 3, 7}).value(), ElementsAre(7, 3, 2));
    const auto none = cpus_for_threads(3, 4, {2, 3, 7});
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, ErrorCode::kUsage);
    EXPECT_THAT(none.error().what, HasSubstr("--threads 4: this process may run only on CPU 2-3,7"));
}

TEST(AllowedCpus, FollowTheCallingThreadsMask) {
    const Expected<std::vector<int>> all = allowed_cpus();
    ASSERT_TRUE(all);
    ASSERT_FALSE(all->empty());
    const int first = all->front();
    std::thread([first] {
        cpu_set_t mask;
        CPU_ZERO(&mask);
        CPU_SET(first, &mask);
        ASSERT_EQ(::sched_setaffinity(0, sizeof mask, &mask), 0);
        EXPECT_THAT(allowed_cpus().value(), ElementsAre(first));
        EXPECT_EQ(pick_cpu(std::nullopt), first);
    }).join();
}

}  // namespace
}  // namespace tare::pmu
