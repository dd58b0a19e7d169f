// At stake: a counter that costs another one its value. Whatever the kernel refuses, everything else is still counted,
// cycles and instructions in every pass, and no descriptor stays behind.
#include "pmu/pass_plan.h"

#include <gmock/gmock.h>

#include "pmu/fake_perf_kernel.h"

namespace tare::pmu {
namespace {

using core::CounterRole;
using core::CounterSource;
using core::CounterState;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr auto kState = &core::CounterOutcome::state;

using Passes = std::vector<std::vector<std::size_t>>;

struct PassPlans : testing::Test {
    FakePerfKernel kernel;
    CountingSurroundings server = {.has_core_pmu = true,
                                   .hypervisor = false,
                                   .container = false,
                                   .paranoid = 2,
                                   .privileged = false,
                                   .descriptor_limit = 1024};

    void TearDown() override {
        EXPECT_EQ(kernel.open_descriptors(), 0U) << "descriptors leak";
        EXPECT_EQ(kernel.bad_calls, 0);
    }
    core::OpenCounters open(const std::vector<core::CounterRequest>& requests) {
        PassPlan plan = open_passes(requests, kernel, server);
        EXPECT_THAT(kernel.counting(), IsEmpty()) << "nothing counts before it is asked to";
        EXPECT_EQ(plan.groups.size(), plan.counters.passes.size());
        return plan.counters;
    }

    static core::CounterRequest cycles() { return counter("cycles", CounterRole::kCycles); }
    static core::CounterRequest instructions() { return counter("instructions", CounterRole::kInstructions); }
    static core::CounterRequest clock() {
        return counter("task_clock", CounterRole::kTaskClock, CounterSource::kSoftware);
    }
    static core::CounterRequest switches() {
        return counter("context_switches", CounterRole::kContextSwitches, CounterSource::kUsage);
    }
};

TEST_F(PassPlans, PutAllIntoOneGroupWhereItFits) {
    const auto counters = open({cycles(), instructions(), counter("a"), clock(), switches()});
    EXPECT_EQ(counters.passes, Passes({{0, 1, 2, 3, 4}}));
    EXPECT_THAT(kernel.opened, ElementsAre("cycles*", "instructions", "a", "task_clock"));
    EXPECT_THAT(counters.outcomes, testing::Each(Field(kState, CounterState::kMeasured)));
}

TEST_F(PassPlans, BeginAFurtherPassWithTheAnchorsWhereTheGroupIsFull) {
    kernel.group_limit = 4;
    const auto counters =
        open({counter("a"), cycles(), counter("b"), instructions(), counter("c"), counter("d"), counter("e"), clock()});
    EXPECT_EQ(counters.passes, Passes({{1, 3, 0, 2, 7}, {1, 3, 4, 5}, {1, 3, 6}}));
    EXPECT_THAT(counters.outcomes, testing::Each(Field(kState, CounterState::kMeasured)));
}

TEST_F(PassPlans, BeginAFurtherPassWhereTheKernelTakesAGroupButNeverSchedulesIt) {
    kernel.free_counters = 3;
    const auto counters = open({cycles(), instructions(), counter("a"), counter("b")});
    EXPECT_EQ(counters.passes, Passes({{0, 1, 2}, {0, 1, 3}}));
}

TEST_F(PassPlans, BeginAFurtherPassWhereTheGroupIsMultiplexed) {
    kernel.running_step_ns = 500;
    const auto counters = open({cycles(), counter("a")});
    EXPECT_THAT(counters.passes, IsEmpty()) << "even one alone is not counted all the time";
    EXPECT_THAT(counters.outcomes[0].problem->reason, HasSubstr("cannot be scheduled"));
}

TEST_F(PassPlans, RepeatOneCounterOfARoleOnly) {
    kernel.group_limit = 3;
    const auto counters = open({cycles(), counter("ref_cycles", CounterRole::kCycles), instructions(), counter("a")});
    EXPECT_EQ(counters.passes, Passes({{0, 2, 1}, {0, 2, 3}}));
}

TEST_F(PassPlans, MakeNoPassWithoutAnAnchorThatIsCounted) {
    kernel.group_limit = 2;
    kernel.refused_again = {{"instructions", ENOSPC}};
    const auto counters = open({cycles(), instructions(), counter("a")});
    EXPECT_EQ(counters.passes, Passes({{0, 1}, {2}})) << "nothing fits beside the anchors";
    kernel.group_limit = 3;
    const auto more = open({cycles(), instructions(), counter("a"), counter("b")});
    EXPECT_EQ(more.passes, Passes({{0, 1, 2}}));
    EXPECT_EQ(more.outcomes[3].problem->errno_name, "ENOSPC");
}

TEST_F(PassPlans, FillPassesWithoutAnchorsWhereNoneIsAskedFor) {
    kernel.group_limit = 2;
    const auto counters = open({counter("a"), counter("b"), counter("c")});
    EXPECT_EQ(counters.passes, Passes({{0, 1}, {2}}));
}

TEST_F(PassPlans, CountWhatCannotBeBesideTheAnchorsInAPassOfItsOwn) {
    kernel.not_beside["a"] = "cycles";
    const auto counters = open({cycles(), counter("a"), counter("b")});
    EXPECT_EQ(counters.passes, Passes({{0, 2}, {1}})) << "and the first pass goes on being filled";
}

TEST_F(PassPlans, CountAnchorsThatCannotBeBesideEachOther) {
    kernel.free_counters = 1;
    const auto counters = open({cycles(), instructions(), counter("a")});
    EXPECT_EQ(counters.passes, Passes({{0}, {1}, {2}}));
}

TEST_F(PassPlans, SayOfAGroupThatIsNeverScheduledWhoMayHoldTheCounters) {
    kernel.free_counters = 0;
    const auto counters = open({cycles(), counter("a"), clock()});
    EXPECT_EQ(counters.passes, Passes({{2}})) << "what the kernel counts needs no counter of the PMU";
    for (const std::size_t i : {0U, 1U}) {
        EXPECT_EQ(counters.outcomes[i].state, CounterState::kUnavailable);
        EXPECT_EQ(counters.outcomes[i].problem->errno_name, "");
        EXPECT_THAT(counters.outcomes[i].problem->reason, HasSubstr("cannot be scheduled"));
        EXPECT_THAT(counters.outcomes[i].problem->hint, HasSubstr("nmi_watchdog"));
    }
}

TEST_F(PassPlans, OfAMachineWithoutPmuCountWhatTheKernelDoes) {
    server.has_core_pmu = false;
    kernel.refused = {{"cycles", ENOENT}, {"instructions", ENOENT}, {"a", ENOENT}};
    const auto counters = open({cycles(), instructions(), counter("a"), clock(), switches()});
    EXPECT_EQ(counters.passes, Passes({{3, 4}}));
    for (const std::size_t i : {0U, 1U, 2U}) {
        EXPECT_EQ(counters.outcomes[i].state, CounterState::kUnavailable);
        EXPECT_EQ(counters.outcomes[i].problem->errno_name, "ENOENT");
        EXPECT_EQ(counters.outcomes[i].problem->reason, "this machine exposes no PMU");
    }
}

TEST_F(PassPlans, LeaveOutAnEventThatIsRefusedAlsoWhereItWouldLead) {
    kernel.refused = {{"cycles", ENOENT}, {"b", EOPNOTSUPP}};
    const auto counters = open({cycles(), instructions(), counter("a"), counter("b"), counter("c")});
    EXPECT_EQ(counters.passes, Passes({{1, 2, 4}}));
    EXPECT_THAT(kernel.opened, ElementsAre("instructions*", "a", "c"));
    EXPECT_THAT(counters.outcomes[0].problem->reason, HasSubstr("fake::cycles"));
    EXPECT_EQ(counters.outcomes[3].problem->errno_name, "EOPNOTSUPP");
}

TEST_F(PassPlans, TakeAnEncodingThatIsInvalidForNoFullGroup) {
    kernel.refused = {{"a", EINVAL}};
    const auto counters = open({cycles(), counter("a"), counter("b")});
    EXPECT_EQ(counters.passes, Passes({{0, 2}}));
    EXPECT_EQ(counters.outcomes[1].problem->errno_name, "EINVAL");
    EXPECT_THAT(counters.outcomes[1].problem->reason, HasSubstr("rejects the encoding"));
}

TEST_F(PassPlans, AtParanoidLevel3HaveNothingButUsage) {
    server.paranoid = 3;
    kernel.refuse_all = EACCES;
    const auto counters = open({cycles(), clock(), switches()});
    EXPECT_EQ(counters.passes, Passes({{2}}));
    EXPECT_EQ(counters.outcomes[1].problem->errno_name, "EACCES");
    EXPECT_THAT(counters.outcomes[1].problem->reason, HasSubstr("perf_event_paranoid is 3"));
    EXPECT_EQ(counters.outcomes[2].state, CounterState::kMeasured);
}

TEST_F(PassPlans, UnderSeccompHaveNothingButUsage) {
    server.container = true;
    kernel.refuse_all = EPERM;
    const auto counters = open({cycles(), clock(), switches()});
    EXPECT_EQ(counters.passes, Passes({{2}}));
    EXPECT_THAT(counters.outcomes[0].problem->reason, HasSubstr("seccomp"));
    EXPECT_EQ(counters.outcomes[0].problem, counters.outcomes[1].problem) << "one cause, one message";
}

TEST_F(PassPlans, WithExhaustedDescriptorsKeepWhatWasOpenBefore) {
    kernel.descriptors = 3;
    const auto counters = open({cycles(), instructions(), counter("a"), counter("b"), clock()});
    EXPECT_EQ(counters.passes, Passes({{0, 1, 2}}));
    EXPECT_EQ(counters.outcomes[3].problem->errno_name, "EMFILE");
    EXPECT_THAT(counters.outcomes[3].problem->reason, HasSubstr("1024"));
    EXPECT_THAT(counters.outcomes[3].problem->hint, HasSubstr("ulimit -n"));
    EXPECT_EQ(counters.outcomes[4].state, CounterState::kUnavailable);
}

TEST_F(PassPlans, WithTooFewDescriptorsForTheAnchorsOfAFurtherPassMakeNoHalfOne) {
    kernel.group_limit = 3;
    kernel.descriptors = 4;
    const auto counters = open({cycles(), instructions(), counter("a"), counter("b"), clock()});
    EXPECT_EQ(counters.passes, Passes({{0, 1, 2, 4}}));
    EXPECT_EQ(counters.outcomes[3].problem->errno_name, "EMFILE");
}

TEST_F(PassPlans, DoNotOpenWhatIsKnownNotToCount) {
    core::CounterRequest known = counter("llc_misses", CounterRole::kLlcMisses);
    known.problem = core::CounterProblem{.errno_name = "", .reason = "the L3 counts for all cores", .hint = ""};
    const auto counters = open({cycles(), known});
    EXPECT_EQ(counters.passes, Passes({{0}}));
    EXPECT_EQ(counters.outcomes[1].state, CounterState::kUnavailable);
    EXPECT_EQ(counters.outcomes[1].problem, known.problem);
    EXPECT_THAT(kernel.opened, ElementsAre("cycles*"));
}

TEST_F(PassPlans, GiveSoftwareAPassOfItsOwnWhereAPmusGroupRefusesIt) {
    kernel.not_beside = {{"task_clock", "cycles"}, {"page_faults", "cycles"}};
    const auto counters =
        open({cycles(), clock(), counter("page_faults", CounterRole::kPageFaults, CounterSource::kSoftware)});
    EXPECT_EQ(counters.passes, Passes({{0}, {1, 2}}));
}

TEST_F(PassPlans, SayWhatGetrusageDoesNotTell) {
    const auto counters = open({counter("cpu_migrations", CounterRole::kCpuMigrations, CounterSource::kUsage)});
    EXPECT_THAT(counters.passes, IsEmpty());
    EXPECT_THAT(counters.outcomes[0].problem->reason, HasSubstr("cpu_migrations"));
}

TEST_F(PassPlans, OfNothingAreEmpty) {
    EXPECT_EQ(open({}), core::OpenCounters());
}

}  // namespace
}  // namespace tare::pmu
