// At stake: a virtual PMU that answers 0 to everything, and a table of zeros that looks like a result. The known work
// really runs; what the counters make of it, the fake kernel decides.
#include "pmu/self_test.h"

#include <gmock/gmock.h>

#include "pmu/fake_perf_kernel.h"

namespace tare::pmu {
namespace {

using core::CounterRole;
using core::CounterSource;
using core::CounterState;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

struct SelfTest : testing::Test {
    FakePerfKernel kernel;
    std::vector<core::CounterRequest> requests = {
        counter("cycles", CounterRole::kCycles),
        counter("instructions", CounterRole::kInstructions),
        counter("branches", CounterRole::kBranches),
        counter("branch_misses", CounterRole::kBranchMisses),
        counter("l1d_misses", CounterRole::kL1dMisses),
        counter("dtlb_walks", CounterRole::kDtlbWalks),
        counter("r1234"),
        counter("page_faults", CounterRole::kPageFaults, CounterSource::kSoftware),
        counter("task_clock", CounterRole::kTaskClock, CounterSource::kSoftware),
        counter("context_switches", CounterRole::kContextSwitches, CounterSource::kUsage),
    };

    void SetUp() override {
        kernel.steps = {{"cycles", 1'000'000},
                        {"instructions", 2'000'020},
                        {"branches", 1'000'003},
                        {"branch_misses", 4900},
                        {"l1d_misses", 4100},
                        {"dtlb_walks", 16'000},
                        {"r1234", 1},
                        {"page_faults", 100},
                        {"task_clock", 1000}};
        kernel.usage_step = {.minor_faults = 0, .major_faults = 0, .voluntary_switches = 1, .involuntary_switches = 0};
    }
    CounterSet tested(const std::vector<core::CounterRequest>& asked) {
        CounterSet counters = CounterSet::open(asked, kernel, CountingSurroundings{});
        before_test();
        self_test(counters);
        EXPECT_THAT(kernel.counting(), testing::IsEmpty()) << "what it switched on, it switches off";
        return counters;
    }
    static std::vector<CounterState> states(const CounterSet& counters) {
        std::vector<CounterState> found;
        for (const core::CounterOutcome& each : counters.counters().outcomes) found.push_back(each.state);
        return found;
    }
    std::function<void()> before_test = [] {};
};

TEST_F(SelfTest, OfHonestCountersFindsNothing) {
    const CounterSet counters = tested(requests);
    EXPECT_THAT(states(counters), Each(CounterState::kMeasured));
    for (const core::CounterOutcome& each : counters.counters().outcomes) EXPECT_EQ(each.problem, std::nullopt);
}

TEST_F(SelfTest, FindsTheOneCounterThatAnswersZero) {
    kernel.steps["l1d_misses"] = 0;
    const CounterSet counters = tested(requests);
    const std::vector<core::CounterOutcome>& outcomes = counters.counters().outcomes;
    EXPECT_EQ(outcomes[4].state, CounterState::kSuspect);
    EXPECT_THAT(outcomes[4].problem->reason, HasSubstr("read 0"));
    for (std::size_t i = 0; i < outcomes.size(); ++i)
        EXPECT_EQ(outcomes[i].state == CounterState::kMeasured, i != 4) << requests[i].name;
}

TEST_F(SelfTest, FindsAMachineWhoseCountersAllAnswerZero) {
    kernel.steps.clear();
    kernel.usage_step = {};
    EXPECT_THAT(states(tested(requests)), Each(CounterState::kSuspect));
}

TEST_F(SelfTest, FindsACounterThatCountsInOneOfItsPassesOnly) {
    kernel.group_limit = 3;
    for (const std::string last : {"branches", "branch_misses"}) {
        kernel.on_enable = nullptr;
        CounterSet counters = CounterSet::open({requests[0], requests[1], requests[2], requests[3]}, kernel, {});
        ASSERT_EQ(counters.counters().passes.size(), 2U);
        kernel.on_enable = [&](const std::vector<std::string>& group) {
            kernel.steps["instructions"] = group.back() == last ? 2'000'000 : 0;
        };
        self_test(counters);
        EXPECT_THAT(states(counters), ElementsAre(CounterState::kMeasured, CounterState::kSuspect,
                                                  CounterState::kMeasured, CounterState::kMeasured))
            << "it counts beside " << last;
    }
}

TEST_F(SelfTest, KeepsWhatAnEmptyBatchWasFoundToCost) {
    CounterSet counters = CounterSet::open({requests[1], requests[2]}, kernel, CountingSurroundings{});
    kernel.steps["branches"] = 0;
    for (const std::size_t each : {0U, 1U})
        counters.set_outcome(each, {.state = CounterState::kMeasured, .problem = std::nullopt, .reading_cost = 22});
    self_test(counters);
    EXPECT_THAT(states(counters), ElementsAre(CounterState::kMeasured, CounterState::kSuspect));
    for (const core::CounterOutcome& each : counters.counters().outcomes) EXPECT_EQ(each.reading_cost, 22);
}

TEST_F(SelfTest, OfAMultiplexedGroupFindsItPartial) {
    kernel.steps["instructions"] = 1'000'000;
    before_test = [this] { kernel.running_step_ns = kernel.enabled_step_ns / 2; };
    const CounterSet counters = tested({requests[1], requests[9]});
    EXPECT_THAT(states(counters), ElementsAre(CounterState::kPartial, CounterState::kMeasured));
    EXPECT_THAT(counters.counters().outcomes[0].problem->reason, HasSubstr("50 %"));
}

TEST_F(SelfTest, OfAGroupThatIsLostFindsItUnavailable) {
    before_test = [this] { kernel.lost = true; };
    const CounterSet counters = tested({requests[1], requests[6]});
    EXPECT_THAT(states(counters), Each(CounterState::kUnavailable));
    EXPECT_THAT(counters.counters().outcomes[0].problem->reason, HasSubstr("cannot be scheduled"));
}

TEST_F(SelfTest, OfAGroupThatCannotBeEnabledGivesTheSystemsReason) {
    before_test = [this] { kernel.enable_error = ENODEV; };
    const CounterSet counters = tested({requests[1]});
    EXPECT_THAT(states(counters), ElementsAre(CounterState::kUnavailable));
    EXPECT_THAT(counters.counters().outcomes[0].problem->reason, HasSubstr("No such device"));
}

TEST_F(SelfTest, LeavesWhatWasRefusedAsItIs) {
    kernel.refused["instructions"] = ENOENT;
    const CounterSet counters = tested({requests[0], requests[1]});
    EXPECT_THAT(states(counters), ElementsAre(CounterState::kMeasured, CounterState::kUnavailable));
    EXPECT_EQ(counters.counters().outcomes[1].problem->errno_name, "ENOENT");
}

TEST_F(SelfTest, RunsOnlyTheWorkThatAnOpenCounterNeeds) {
    CounterSet counters = CounterSet::open({requests[0], requests[1], requests[2]}, kernel, {});
    const int reads = kernel.reads;
    self_test(counters);
    EXPECT_EQ(kernel.reads - reads, 2) << "the loop, once";
}

}  // namespace
}  // namespace tare::pmu
