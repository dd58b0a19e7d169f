// At stake: the second that `bench doctor` takes, and that every fact it judges has a value or a reason.
#include "pmu/fitness_facts.h"

#include <gmock/gmock.h>

#include "pmu/cpu_choice.h"

namespace tare::pmu {
namespace {

using core::Value;

TEST(FitnessFacts, OfThisMachineHaveAValueOrAReason) {
    const int cpu = allowed_cpus().value().back();
    const core::Expected<Value> facts = fitness_facts({.cpu = cpu, .spin_ns = 30'000'000, .stop = {}});
    ASSERT_TRUE(facts);
    EXPECT_EQ((*facts)["cpu"], Value(cpu));
    EXPECT_GE((*facts)["spun_ns"].as_int(), 30'000'000);
    EXPECT_GT((*facts)["clock_cost_ns"].as_double(), 0);
    for (const char* key : {"aslr", "governor", "nmi_watchdog", "lost_ratio", "steal_ratio", "others_here_ratio"})
        EXPECT_TRUE((*facts).as_map().contains(key)) << key;
    for (const auto& [key, value] : (*facts).as_map())
        EXPECT_EQ(value.is_nil(), !(*facts)["reasons"][key].as_text().empty()) << key;
}

TEST(FitnessFacts, TellTheAffinityOfBeforeTheyPinnedTheThread) {
    const std::vector<int> allowed = allowed_cpus().value();
    const core::Expected<Value> facts = fitness_facts({.cpu = allowed.front(), .spin_ns = 1'000'000, .stop = {}});
    ASSERT_TRUE(facts);
    EXPECT_EQ((*facts)["affinity"].as_list().size(), allowed.size());
    EXPECT_EQ(allowed_cpus().value(), allowed);
}

TEST(FitnessFacts, EndAtOnceWhereTheUserAsks) {
    const auto facts = fitness_facts(
        {.cpu = allowed_cpus().value().back(), .spin_ns = 3'600'000'000'000, .stop = [] { return true; }});
    EXPECT_EQ(facts.error().code, core::ErrorCode::kInterrupted);
}

TEST(FitnessFacts, OfACpuThatCannotBeUsedAreAnError) {
    EXPECT_THAT(fitness_facts({.cpu = 8000, .spin_ns = 1, .stop = {}}).error().what,
                testing::HasSubstr("cannot pin this thread to CPU 8000"));
}

}  // namespace
}  // namespace tare::pmu
