// At stake: 1 of 5. A counter that one worker of five could not have, or found wrong, is not shown as measured; and
// time that was not counted is never rounded away.
#include "harness/stats/run_counters.h"

#include <gmock/gmock.h>

#include "harness/stats/estimate.h"
#include "harness/stats/simulate.h"

namespace tare::stats {
namespace {

using core::CounterState;
using testing::ElementsAre;
using testing::SizeIs;

core::CounterRequest request(const std::string& name) {
    core::CounterRequest made;
    made.name = name;
    return made;
}

core::CounterOutcome outcome(CounterState state, const std::string& reason = "", double reading_cost = 0) {
    core::CounterOutcome made{state, std::nullopt, reading_cost};
    if (!reason.empty()) made.problem = core::CounterProblem{"ENOENT", reason, "ask elsewhere"};
    return made;
}

/// One counter; an outcome a process.
core::Counting counting_of(const std::vector<core::CounterOutcome>& outcomes) {
    core::Counting counting{{request("cycles")}, {}};
    for (std::size_t i = 0; i < outcomes.size(); ++i)
        counting.processes.push_back({static_cast<int>(i), {{outcomes[i]}, {{0}}}});
    return counting;
}

core::Visit visit_with_ratio(int round, double counted_ratio) {
    core::RungVisit rung = rung_of_values(core::RungKind::kPython, {10, 10, 10});
    rung.counts = {{0, 5, 0, 5, 5, counted_ratio, std::nullopt, 3}};
    return visit_of("x", round, {rung});
}

RunCounter only(const core::Counting& counting, const std::vector<core::Visit>& visits = {}) {
    const std::vector<RunCounter> counters = run_counters(counting, visits);
    EXPECT_THAT(counters, SizeIs(1));
    return counters.front();
}

TEST(RunCounters, AreMeasuredWhereEveryProcessMeasured) {
    const RunCounter counter = only(counting_of({outcome(CounterState::kMeasured), outcome(CounterState::kMeasured)}),
                                    {visit_with_ratio(0, 1)});
    EXPECT_EQ(counter.state, CounterState::kMeasured);
    EXPECT_FALSE(counter.problem);
    EXPECT_EQ(reason_text(counter), "");
}

TEST(RunCounters, HaveTheWorstStateAndTheProblemOfTheFirstProcessThatHadIt) {
    const RunCounter counter = only(
        counting_of({outcome(CounterState::kMeasured), outcome(CounterState::kSuspect, "read 0, expected 2000000"),
                     outcome(CounterState::kUnavailable, "first"), outcome(CounterState::kUnavailable, "second")}));
    EXPECT_EQ(counter.state, CounterState::kUnavailable);
    EXPECT_EQ(counter.problem->reason, "first");
    EXPECT_EQ(counter.affected, 2);
    EXPECT_EQ(counter.processes, 4);
    EXPECT_EQ(reason_text(counter), "in 2 of 4 processes: ENOENT: first");
}

TEST(RunCounters, DoNotCountProcessesWhereAllAgree) {
    const RunCounter counter = only(
        counting_of({outcome(CounterState::kUnavailable, "no PMU"), outcome(CounterState::kUnavailable, "no PMU")}));
    EXPECT_EQ(reason_text(counter), "ENOENT: no PMU");
}

TEST(RunCounters, ArePartialWhereOneBatchWasAndNameTheShare) {
    const core::Counting counting = counting_of({outcome(CounterState::kMeasured), outcome(CounterState::kMeasured)});
    const RunCounter counter = only(counting, {visit_with_ratio(0, 1), visit_with_ratio(1, 0.6125)});
    EXPECT_EQ(counter.state, CounterState::kPartial);
    EXPECT_EQ(counter.counted_ratio, 0.6125);
    EXPECT_EQ(reason_text(counter), "counted during 61.2 % of the time");
    EXPECT_EQ(only(counting, {visit_with_ratio(0, 0.99999)}).problem->reason, "counted during 99.9 % of the time");
}

TEST(RunCounters, StaySuspectWhereTheyAreAlsoPartial) {
    const RunCounter counter =
        only(counting_of({outcome(CounterState::kSuspect, "reads 0")}), {visit_with_ratio(0, 0.5)});
    EXPECT_EQ(counter.state, CounterState::kSuspect);
    EXPECT_EQ(counter.problem->reason, "reads 0");
    EXPECT_EQ(counter.counted_ratio, 0.5);
    EXPECT_FALSE(counter.trusted());
}

TEST(RunCounters, TakeNoNoticeOfAVisitThatFailed) {
    core::Visit failed = visit_with_ratio(0, 0.5);
    failed.error = core::Error{};
    EXPECT_EQ(only(counting_of({outcome(CounterState::kMeasured)}), {failed}).state, CounterState::kMeasured);
}

TEST(RunCounters, AreUnavailableForAReasonWhereNoWorkerSpoke) {
    core::Counting counting = counting_of({});
    EXPECT_EQ(only(counting).state, CounterState::kUnavailable);
    EXPECT_EQ(reason_text(only(counting)), "no worker told whether it counts");
    counting.requests[0].problem = core::CounterProblem{"", "not counted per thread on this CPU", ""};
    EXPECT_EQ(reason_text(only(counting)), "not counted per thread on this CPU");
}

TEST(RunCounters, NeverLackAReasonUnlessMeasured) {
    for (const CounterState state : core::kAllCounterStates)
        EXPECT_EQ(reason_text(only(counting_of({outcome(state)}))).empty(), state == CounterState::kMeasured);
}

TEST(RunCounters, PassOverOutcomesAndCountsOfNoRequest) {
    core::Counting counting = counting_of({outcome(CounterState::kMeasured)});
    counting.processes.push_back({1, {{}, {}}});  // a damaged journal
    core::Visit visit = visit_with_ratio(0, 0.5);
    visit.rungs[0].counts[0].counter = 1'000'000;
    const RunCounter counter = only(counting, {visit});
    EXPECT_EQ(counter.state, CounterState::kMeasured);
    EXPECT_EQ(counter.processes, 1);
}

TEST(RunCounters, TellTheReadingCostOfThoseThatCount) {
    const RunCounter counter =
        only(counting_of({outcome(CounterState::kMeasured, "", 20), outcome(CounterState::kMeasured, "", 24),
                          outcome(CounterState::kMeasured, "", 100), outcome(CounterState::kUnavailable, "x", 0)}));
    EXPECT_EQ(counter.reading_cost, 24);
    EXPECT_FALSE(only(counting_of({outcome(CounterState::kUnavailable, "x")})).reading_cost);
}

TEST(StateInCase, IsThatOfTheCaseAlone) {
    const core::Counting counting = counting_of({outcome(CounterState::kMeasured)});
    const RunCounter counter = only(counting, {visit_with_ratio(0, 0.5)});
    CountEstimate estimate;
    EXPECT_EQ(counter.state, CounterState::kPartial);
    EXPECT_EQ(state_in_case(counter, &estimate), CounterState::kMeasured) << "it was another case that was partial";
    estimate.counted_ratio = 0.5;
    EXPECT_EQ(state_in_case(counter, &estimate), CounterState::kPartial);
    EXPECT_EQ(state_in_case(counter, nullptr), CounterState::kUnavailable);
    const RunCounter suspect = only(counting_of({outcome(CounterState::kSuspect, "reads 0")}));
    EXPECT_EQ(state_in_case(suspect, &estimate), CounterState::kSuspect);
    const RunCounter missing = only(counting_of({outcome(CounterState::kUnavailable, "no PMU")}));
    EXPECT_EQ(state_in_case(missing, &estimate), CounterState::kUnavailable);
}

}  // namespace
}  // namespace tare::stats
