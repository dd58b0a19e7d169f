// Number at stake: 0 cache misses, as a machine without caches reports them. The event opens, counts and reads 0; the
// self-test must call it suspect, and must not call suspect what counts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pmu/emulated/counting_machine.h"
#include "pmu/emulated/known_loop.h"
#include "pmu/self_test.h"

namespace tare::pmu::emulated {
namespace {

using core::CounterRole;
using core::CounterState;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<CounterState> states_of(const CounterSet& set) {
    std::vector<CounterState> states;
    for (const core::CounterOutcome& outcome : set.counters().outcomes) states.push_back(outcome.state);
    return states;
}

TEST_F(EmulatedMachine, EventThatOpensAndReadsZeroIsSuspect) {
    CounterSet set = CounterSet::open(
        {cycles(), instructions(), raw("l1d_misses", kL1dCacheRefill, CounterRole::kL1dMisses)}, linux_kernel());
    ASSERT_THAT(states_of(set), ElementsAre(CounterState::kMeasured, CounterState::kMeasured, CounterState::kMeasured))
        << "it opens and is scheduled: " << described(set);
    self_test(set);
    EXPECT_THAT(states_of(set), ElementsAre(CounterState::kMeasured, CounterState::kMeasured, CounterState::kSuspect))
        << described(set);
    ASSERT_TRUE(set.counters().outcomes[2].problem);
    EXPECT_THAT(set.counters().outcomes[2].problem->reason, HasSubstr("0"));
}

TEST_F(EmulatedMachine, WrongEventInTheRoleOfInstructionsIsSuspect) {
    CounterSet set =
        CounterSet::open({raw("instructions", kL1dCacheRefill, CounterRole::kInstructions)}, linux_kernel());
    self_test(set);
    EXPECT_THAT(states_of(set), ElementsAre(CounterState::kSuspect)) << described(set);
}

TEST_F(EmulatedMachine, UnknownEventThatReadsZeroIsSuspectAndOneThatCountsIsNot) {
    CounterSet set = CounterSet::open({raw("r3", kL1dCacheRefill), raw("r8", kInstRetired)}, linux_kernel());
    self_test(set);
    EXPECT_THAT(states_of(set), ElementsAre(CounterState::kSuspect, CounterState::kMeasured)) << described(set);
}

TEST_F(EmulatedMachine, SelfTestLeavesTheCountersExact) {
    CounterSet set = CounterSet::open({cycles(), instructions()}, linux_kernel());
    self_test(set);
    (void)counted(set, 0, tare_known_loop, 10);
    const auto empty = counted(set, 0, tare_empty_call, 1'000);
    const auto gross = counted(set, 0, tare_known_loop, 1'000);
    ASSERT_EQ(empty.size(), 2U);
    ASSERT_EQ(gross.size(), 2U);
    EXPECT_EQ(gross[1] - empty[1], 2'000);
}

}  // namespace
}  // namespace tare::pmu::emulated
