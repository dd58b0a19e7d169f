// At stake: a counter that opens, counts nothing and is believed; and an honest one that is not. Bounds are tried on
// both sides.
#include "pmu/self_test_judgement.h"

#include <gmock/gmock.h>

#include "pmu/fake_perf_kernel.h"

namespace tare::pmu {
namespace {

using core::CounterOutcome;
using core::CounterRole;
using core::CounterSource;
using core::CounterState;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::int64_t kWallNs = 500'000;

CounterOutcome judged(const core::CounterRequest& request, std::int64_t value, std::uint64_t enabled_ns = 1000,
                      std::uint64_t running_ns = 1000) {
    return judge(request, {.readable = true, .value = value, .enabled_ns = enabled_ns, .running_ns = running_ns},
                 expectation_of(request, kWallNs));
}

CounterState state_of(CounterRole role, std::int64_t value, CounterSource source = CounterSource::kHardware) {
    return judged(counter("it", role, source), value).state;
}

struct Bound {
    CounterRole role;
    std::int64_t least;
    std::int64_t most;  ///< -1: none
};

TEST(Judgement, AcceptsWhatLiesWithinTheBoundsOfARoleAndNothingElse) {
    for (const Bound& each :
         {Bound{CounterRole::kInstructions, 1'980'000, 2'020'000}, Bound{CounterRole::kBranches, 990'000, 1'100'000},
          Bound{CounterRole::kCycles, 200'000, 10 * kWallNs}, Bound{CounterRole::kBranchMisses, 1000, -1},
          Bound{CounterRole::kL1dMisses, 1024, -1}, Bound{CounterRole::kL2Misses, 1024, -1},
          Bound{CounterRole::kLlcMisses, 1024, -1}, Bound{CounterRole::kDtlbWalks, 4096, -1},
          Bound{CounterRole::kPageFaults, 100, -1}, Bound{CounterRole::kMinorFaults, 100, -1},
          Bound{CounterRole::kTaskClock, 1, 605'000}, Bound{CounterRole::kContextSwitches, 1, -1}}) {
        const std::string_view name = name_of(each.role);
        EXPECT_EQ(state_of(each.role, each.least), CounterState::kMeasured) << name;
        EXPECT_EQ(state_of(each.role, each.least - 1), CounterState::kSuspect) << name;
        const std::int64_t most = each.most < 0 ? 1'000'000'000'000 : each.most;
        EXPECT_EQ(state_of(each.role, most), CounterState::kMeasured) << name;
        EXPECT_EQ(state_of(each.role, most + 1), each.most < 0 ? CounterState::kMeasured : CounterState::kSuspect)
            << name;
    }
}

TEST(Judgement, SaysWhatWasReadAndWhatWasExpected) {
    const CounterOutcome outcome = judged(counter("instructions", CounterRole::kInstructions), 0);
    EXPECT_EQ(outcome.problem->reason,
              "read 0 in the self-test, where 1980000 to 2020000 were expected of a loop of 2000000 instructions");
    EXPECT_FALSE(outcome.problem->hint.empty());
    EXPECT_EQ(judged(counter("llc_misses", CounterRole::kLlcMisses), 3).problem->reason,
              "read 3 in the self-test, where at least 1024 were expected of loads of 4096 lines that were flushed");
}

TEST(Judgement, LeavesRoomForTheKernelWhereItIsCounted) {
    core::CounterRequest request = counter("instructions", CounterRole::kInstructions);
    EXPECT_EQ(judged(request, 2'100'000).state, CounterState::kSuspect);
    request.kernel = true;
    EXPECT_EQ(judged(request, 2'100'000).state, CounterState::kMeasured);
    EXPECT_EQ(judged(request, 1'900'000).state, CounterState::kSuspect) << "the loop is in user space";
}

TEST(Judgement, KnowsNothingOfAnEventOfTheUsersOwnButThatItShouldCountSomething) {
    const CounterOutcome nothing = judged(counter("r1234"), 0);
    EXPECT_EQ(nothing.state, CounterState::kSuspect);
    EXPECT_EQ(nothing.problem->reason, "counted nothing in the self-test, which does not know this event");
    EXPECT_EQ(state_of(CounterRole::kOther, 1), CounterState::kMeasured);
    EXPECT_EQ(state_of(CounterRole::kOther, 0, CounterSource::kSoftware), CounterState::kMeasured)
        << "alignment faults may well be none";
}

TEST(Judgement, BelievesAZeroOfWhatCannotBeProvoked) {
    EXPECT_EQ(state_of(CounterRole::kMajorFaults, 0, CounterSource::kSoftware), CounterState::kMeasured);
    EXPECT_EQ(state_of(CounterRole::kCpuMigrations, 0, CounterSource::kSoftware), CounterState::kMeasured);
}

TEST(Judgement, BelievesNoCounterThatGoesBackwards) {
    EXPECT_THAT(judged(counter("it", CounterRole::kMajorFaults), -5).problem->reason, HasSubstr("backwards"));
}

TEST(Judgement, OfAGroupThatIsNotScheduledIsUnavailable) {
    const core::CounterRequest request = counter("instructions", CounterRole::kInstructions);
    const auto expectation = expectation_of(request, kWallNs);
    const SelfCount lost = {.readable = false, .value = 2'000'000, .enabled_ns = 1000, .running_ns = 1000};
    const CounterOutcome unread = judge(request, lost, expectation);
    EXPECT_EQ(unread.state, CounterState::kUnavailable);
    EXPECT_THAT(unread.problem->reason, HasSubstr("cannot be scheduled"));
    EXPECT_EQ(judged(request, 0, 1000, 0).state, CounterState::kUnavailable) << "it never ran: nothing is known";
}

TEST(Judgement, OfAMultiplexedGroupIsPartialWithTheShare) {
    const CounterOutcome outcome = judged(counter("it", CounterRole::kInstructions), 1'200'000, 1000, 600);
    EXPECT_EQ(outcome.state, CounterState::kPartial);
    EXPECT_EQ(outcome.problem->reason, "was counted 60 % of the time in the self-test");
    EXPECT_EQ(judged(counter("it", CounterRole::kInstructions), 0, 1000, 600).state, CounterState::kSuspect)
        << "a false zero stays one";
}

TEST(Judgement, OfUsageLooksAtNoTimes) {
    const core::CounterRequest request =
        counter("context_switches", CounterRole::kContextSwitches, CounterSource::kUsage);
    EXPECT_EQ(judged(request, 1, 0, 0).state, CounterState::kMeasured);
    EXPECT_EQ(judged(request, 1, 1000, 500).state, CounterState::kMeasured);
    EXPECT_EQ(judged(request, 0, 0, 0).state, CounterState::kSuspect);
}

TEST(Judgement, HasAProblemExactlyWhereACounterIsNotMeasured) {
    for (const core::CounterRoleName& each : core::kCounterRoleNames)
        for (const std::int64_t value : {std::int64_t{-1}, std::int64_t{0}, std::int64_t{2'000'000}})
            for (const std::uint64_t running_ns : {0U, 500U, 1000U}) {
                const CounterOutcome outcome = judged(counter("it", each.role), value, 1000, running_ns);
                EXPECT_EQ(outcome.problem.has_value(), outcome.state != CounterState::kMeasured) << each.name;
            }
}

TEST(Work, IsThereForEveryRole) {
    for (const core::CounterRoleName& each : core::kCounterRoleNames)
        for (const CounterSource source : {CounterSource::kHardware, CounterSource::kSoftware, CounterSource::kUsage})
            EXPECT_THAT(work_for(counter("it", each.role, source)), Not(IsEmpty())) << each.name;
    EXPECT_THAT(work_for(counter("it")), Contains(WorkKind::kScatteredPages));
    EXPECT_THAT(work_for(counter("it")), Not(Contains(WorkKind::kSleep)));
}

}  // namespace
}  // namespace tare::pmu
