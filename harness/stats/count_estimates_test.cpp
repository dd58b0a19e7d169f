// At stake: 3,940 instructions, and not one made up. Counts over processes exactly, from visits of known counts; ratios
// only of counters that are to be believed.
#include "harness/stats/count_estimates.h"

#include <gmock/gmock.h>

#include <limits>

#include "harness/stats/simulate.h"

namespace tare::stats {
namespace {

using core::CounterRole;
using core::CounterState;
using core::RungCount;
using core::RungKind;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;
using testing::SizeIs;

enum : std::size_t { kCycles, kInstructions, kMisses };

std::vector<RunCounter> three_counters(CounterState cycles = CounterState::kMeasured,
                                       CounterState instructions = CounterState::kMeasured,
                                       CounterState misses = CounterState::kMeasured) {
    const auto counter = [](const std::string& name, CounterRole role, CounterState state) {
        RunCounter made;
        made.request.name = name;
        made.request.role = role;
        made.request.pmu = "cpu";
        made.state = made.opened = state;
        return made;
    };
    return {counter("cycles", CounterRole::kCycles, cycles),
            counter("instructions", CounterRole::kInstructions, instructions),
            counter("branch_misses", CounterRole::kBranchMisses, misses)};
}

RungCount count_of(std::size_t counter, double net, double lowest_net, std::optional<double> instructions = {}) {
    return {counter, net + 12, 12, net, lowest_net, 1, instructions, 8};
}

core::Visit visit_with(int round, std::vector<RungCount> counts) {
    core::RungVisit rung = rung_of_values(RungKind::kPython, {10, 10, 10});
    rung.counts = std::move(counts);
    return visit_of("x", round, {rung});
}

RungCounts estimates_of(const std::vector<core::Visit>& visits,
                        const std::vector<RunCounter>& counters = three_counters()) {
    std::vector<const core::Visit*> pointers;
    for (const core::Visit& visit : visits) pointers.push_back(&visit);
    return estimate_counts(pointers, RungKind::kPython, counters);
}

/// net cycles, instructions and misses of one process
core::Visit full_visit(int round, double cycles, double instructions, double misses) {
    return visit_with(round, {count_of(kCycles, cycles, cycles - 10, instructions),
                              count_of(kInstructions, instructions, instructions, instructions),
                              count_of(kMisses, misses, misses, instructions)});
}

TEST(CountEstimates, AreTheMedianOfProcessesWithStudentsIntervalOnThePlainScale) {
    const RungCounts counted =
        estimates_of({full_visit(0, 1000, 4000, 2), full_visit(1, 1010, 4000, 0), full_visit(2, 1500, 4000, -1)});
    ASSERT_THAT(counted.counts, SizeIs(3));
    const CountEstimate& cycles = counted.counts[kCycles];
    EXPECT_EQ(cycles.counter, kCycles);
    EXPECT_EQ(cycles.net.value, 1010);
    EXPECT_EQ(cycles.net.interval, t_interval(std::vector<double>{1000, 1010, 1500}));
    EXPECT_EQ(cycles.net.basis, IntervalBasis::kProcesses);
    EXPECT_EQ(cycles.net.processes, 3);
    EXPECT_EQ(cycles.gross, 1022);
    EXPECT_EQ(cycles.floor, 12);
    EXPECT_EQ(cycles.lowest, 990) << "of the batch with the fewest in all processes";
    EXPECT_EQ(counted.counts[kInstructions].net.interval, (Interval{4000, 4000}));
    EXPECT_LT(counted.counts[kMisses].net.interval->low, 0) << "a count net of the floor may be below 0";
}

TEST(CountEstimates, OfOneProcessHaveNoInterval) {
    const RungCounts counted = estimates_of({full_visit(0, 1000, 4000, 2)});
    EXPECT_FALSE(counted.counts[kCycles].net.interval);
    EXPECT_EQ(counted.counts[kCycles].net.basis, IntervalBasis::kNone);
}

TEST(CountEstimates, TakeNoValueFromAVisitWithoutTheCounter) {
    const RungCounts counted = estimates_of({full_visit(0, 1000, 4000, 2), visit_with(1, {count_of(kCycles, 900, 900)}),
                                             visit_with(2, {}), visit_of("x", 3, {})});
    EXPECT_EQ(counted.counts[kCycles].net.processes, 2);
    EXPECT_EQ(counted.counts[kCycles].net.value, 950);
    EXPECT_EQ(counted.counts[kMisses].net.processes, 1);
    EXPECT_EQ(counted.instructions_per_cycle, 4.0) << "of the one visit that has both";
    EXPECT_THAT(estimates_of({visit_with(0, {})}).counts, IsEmpty());
}

TEST(CountEstimates, TakeAValueThatIsNotFiniteForNone) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinite = std::numeric_limits<double>::infinity();
    for (double RungCount::*member :
         {&RungCount::net, &RungCount::gross, &RungCount::floor, &RungCount::lowest_net, &RungCount::counted_ratio})
        for (const double bad : {nan, infinite}) {
            RungCount broken = count_of(kCycles, 1, 1);
            broken.*member = bad;
            EXPECT_THAT(estimates_of({visit_with(0, {broken})}).counts, IsEmpty());
            EXPECT_EQ(estimates_of({visit_with(0, {broken}), full_visit(1, 1000, 4000, 2)}).counts[0].net.processes, 1);
        }
}

TEST(CountEstimates, TakeRatiosInsideAVisitFirst) {
    // process medians: IPC 4, 2, 1; the ratio of the medians would be 4000 / 2000
    const RungCounts counted =
        estimates_of({full_visit(0, 1000, 4000, 4), full_visit(1, 1500, 3000, 9), full_visit(2, 5000, 5000, 50)});
    EXPECT_EQ(counted.instructions_per_cycle, 2.0);
    EXPECT_THAT(*counted.counts[kMisses].per_thousand_instructions, DoubleNear(3, 1e-12));
    EXPECT_THAT(*counted.counts[kCycles].per_thousand_instructions, DoubleNear(500, 1e-12));
    EXPECT_FALSE(counted.counts[kInstructions].per_thousand_instructions) << "1000 would say nothing";
}

TEST(CountEstimates, UseTheInstructionsOfTheCountersOwnPass) {
    core::Visit visit = full_visit(0, 1000, 4000, 4);
    visit.rungs[0].counts[kMisses].instructions = 2000;  // another pass
    EXPECT_EQ(estimates_of({visit}).counts[kMisses].per_thousand_instructions, 2.0);
    visit.rungs[0].counts[kMisses].instructions.reset();
    EXPECT_FALSE(estimates_of({visit}).counts[kMisses].per_thousand_instructions);
}

TEST(CountEstimates, NeverDivideByNothing) {
    EXPECT_FALSE(estimates_of({full_visit(0, 0, 4000, 4)}).instructions_per_cycle);
    EXPECT_FALSE(estimates_of({full_visit(0, -3, 4000, 4)}).instructions_per_cycle);
    EXPECT_FALSE(estimates_of({full_visit(0, 1000, 0, 4)}).counts[kMisses].per_thousand_instructions);
}

TEST(CountEstimates, DeriveNothingFromASuspectCounter) {
    const std::vector<core::Visit> visits = {full_visit(0, 1000, 4000, 4)};
    const auto suspect = CounterState::kSuspect, good = CounterState::kMeasured;
    const RungCounts of_cycles = estimates_of(visits, three_counters(suspect));
    EXPECT_FALSE(of_cycles.instructions_per_cycle);
    EXPECT_FALSE(of_cycles.counts[kCycles].per_thousand_instructions);
    EXPECT_TRUE(of_cycles.counts[kMisses].per_thousand_instructions);
    EXPECT_EQ(of_cycles.counts[kCycles].net.value, 1000) << "the count itself is shown, with its state";
    const RungCounts of_instructions = estimates_of(visits, three_counters(good, suspect));
    EXPECT_FALSE(of_instructions.instructions_per_cycle);
    EXPECT_FALSE(of_instructions.counts[kMisses].per_thousand_instructions);
    const RungCounts of_misses = estimates_of(visits, three_counters(good, good, suspect));
    EXPECT_TRUE(of_misses.instructions_per_cycle);
    EXPECT_FALSE(of_misses.counts[kMisses].per_thousand_instructions);
    const RungCounts of_nobody = estimates_of(visits, {});
    EXPECT_FALSE(of_nobody.instructions_per_cycle);
    EXPECT_FALSE(of_nobody.counts[kMisses].per_thousand_instructions);
}

TEST(CountEstimates, TakeRatiosOfHardwareCountersAlone) {
    std::vector<RunCounter> counters = three_counters();
    counters[kMisses].request.source = core::CounterSource::kUsage;
    EXPECT_FALSE(estimates_of({full_visit(0, 1000, 4000, 4)}, counters).counts[kMisses].per_thousand_instructions);
}

TEST(CountEstimates, DeriveFromAPartialCounter) {
    EXPECT_EQ(
        estimates_of({full_visit(0, 1000, 4000, 4)}, three_counters(CounterState::kPartial)).instructions_per_cycle,
        4.0);
}

TEST(CountEstimates, NeverDivideAcrossPmus) {
    std::vector<RunCounter> counters = three_counters();
    counters[kInstructions].request.pmu = "cpu_atom";
    EXPECT_FALSE(estimates_of({full_visit(0, 1000, 4000, 4)}, counters).instructions_per_cycle);
}

TEST(CountEstimates, AreThoseOfTheRungAskedFor) {
    core::Visit visit = full_visit(0, 1000, 4000, 4);
    visit.rungs.push_back(rung_of_values(RungKind::kNative, {2, 2, 2}));
    visit.rungs.back().counts = {count_of(kCycles, 7, 7)};
    const CaseEstimate estimate = estimate_cases({visit}, three_counters()).front();
    EXPECT_THAT(estimate.rung(RungKind::kPython)->counts, SizeIs(3));
    EXPECT_EQ(estimate.rung(RungKind::kPython)->instructions_per_cycle, 4.0);
    EXPECT_THAT(estimate.rung(RungKind::kNative)->counts, ElementsAre(Field(&CountEstimate::counter, kCycles)));
    EXPECT_EQ(estimate.rung(RungKind::kNative)->counts[0].net.value, 7);
}

TEST(CountEstimates, AreTheSmallestShareCounted) {
    core::Visit half = full_visit(0, 1000, 4000, 4);
    half.rungs[0].counts[kCycles].counted_ratio = 0.5;
    EXPECT_EQ(estimates_of({full_visit(1, 1000, 4000, 4), half}).counts[kCycles].counted_ratio, 0.5);
}

}  // namespace
}  // namespace tare::stats
