// At stake: what a batch is said to have counted. A group that was lost in mid-run must give no counts at all, and the
// two readings beside a batch must be one system call each.
#include "pmu/counter_set.h"

#include <gmock/gmock.h>

#include "pmu/fake_perf_kernel.h"

namespace tare::pmu {
namespace {

using core::CounterRole;
using core::CounterSource;
using core::RawCount;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct CounterSets : testing::Test {
    FakePerfKernel kernel;

    void TearDown() override {
        EXPECT_EQ(kernel.open_descriptors(), 0U) << "descriptors leak";
        EXPECT_EQ(kernel.bad_calls, 0);
    }
    CounterSet open(std::vector<core::CounterRequest> requests) {
        return CounterSet::open(std::move(requests), kernel, CountingSurroundings{});
    }
    static core::CounterRequest switches() {
        return counter("context_switches", CounterRole::kContextSwitches, CounterSource::kUsage);
    }
};

TEST_F(CounterSets, GiveWhatLiesBetweenTwoReadings) {
    kernel.steps = {{"cycles", 700}, {"instructions", 2000}};
    CounterSet counters =
        open({counter("cycles", CounterRole::kCycles), counter("instructions", CounterRole::kInstructions)});
    ASSERT_TRUE(counters.activate(0));
    counters.read_before();
    counters.read_after();
    EXPECT_EQ(counters.difference(),
              (core::BatchCounts{
                  .pass = 0, .enabled_ns = 1000, .running_ns = 1000, .counts = {RawCount{700}, RawCount{2000}}}));
}

TEST_F(CounterSets, ReadOncePerReadingAndAskForUsageOnlyWhereItIsCounted) {
    CounterSet without = open({counter("a"), counter("b")});
    ASSERT_TRUE(without.activate(0));
    const int reads = kernel.reads;
    without.read_before();
    without.read_after();
    EXPECT_EQ(kernel.reads - reads, 2);
    EXPECT_EQ(kernel.usages, 0);
    CounterSet with = open({counter("c"), switches()});
    ASSERT_TRUE(with.activate(0));
    with.read_before();
    with.read_after();
    EXPECT_EQ(kernel.usages, 2);
}

TEST_F(CounterSets, CountInOnePassAtATime) {
    kernel.group_limit = 1;
    CounterSet counters = open({counter("a"), counter("b")});
    ASSERT_TRUE(counters.activate(0));
    EXPECT_THAT(kernel.counting(), ElementsAre("a"));
    ASSERT_TRUE(counters.activate(1));
    EXPECT_THAT(kernel.counting(), ElementsAre("b"));
    counters.read_before();
    counters.read_after();
    EXPECT_EQ(counters.difference().pass, 1U);
    counters.deactivate();
    EXPECT_THAT(kernel.counting(), IsEmpty());
}

TEST_F(CounterSets, LostInMidRunGiveNoCountsUntilTheyAreActivatedAgain) {
    kernel.steps = {{"a", 5}};
    CounterSet counters = open({counter("a"), switches()});
    ASSERT_TRUE(counters.activate(0));
    counters.read_before();
    counters.read_after();
    EXPECT_THAT(counters.difference().counts, ElementsAre(RawCount{5}, RawCount{0}));
    counters.read_before();
    kernel.lost = true;
    counters.read_after();
    EXPECT_THAT(counters.difference().counts, IsEmpty());
    kernel.lost = false;
    counters.read_before();
    counters.read_after();
    EXPECT_THAT(counters.difference().counts, IsEmpty()) << "a pinned group stays in error";
    ASSERT_TRUE(counters.activate(0));
    counters.read_before();
    counters.read_after();
    EXPECT_THAT(counters.difference().counts, ElementsAre(RawCount{5}, RawCount{0}));
}

TEST_F(CounterSets, ThatWereMultiplexedKeepBothTimesAndScaleNothing) {
    kernel.steps = {{"a", 600}};
    CounterSet counters = open({counter("a")});
    ASSERT_TRUE(counters.activate(0));
    kernel.running_step_ns = 600;
    counters.read_before();
    counters.read_after();
    EXPECT_EQ(counters.difference(),
              (core::BatchCounts{.pass = 0, .enabled_ns = 1000, .running_ns = 600, .counts = {RawCount{600}}}));
}

TEST_F(CounterSets, OfUsageAloneCountWithoutAnyGroup) {
    kernel.usage_step = {.minor_faults = 7, .major_faults = 1, .voluntary_switches = 2, .involuntary_switches = 3};
    CounterSet counters = open({switches(), counter("page_faults", CounterRole::kPageFaults, CounterSource::kUsage),
                                counter("minor_faults", CounterRole::kMinorFaults, CounterSource::kUsage),
                                counter("major_faults", CounterRole::kMajorFaults, CounterSource::kUsage)});
    ASSERT_TRUE(counters.activate(0));
    counters.read_before();
    counters.read_after();
    EXPECT_THAT(counters.difference().counts, ElementsAre(RawCount{5}, RawCount{8}, RawCount{7}, RawCount{1}));
    EXPECT_EQ(kernel.reads, 0);
}

/// 20,000 ns between chains of 6,000 cycles in 2,000 and 4,000 ns: 6,000 in 3,000 ns on average.
TEST_F(CounterSets, OfTheClockAreTheTimeByTheMeanOfTheChainsAroundIt) {
    kernel.chains_ns = {2000, 4000};
    kernel.now_step_ns = 20'000;
    kernel.usage_step = {.voluntary_switches = 2};
    kernel.steps = {{"a", 5}};
    const core::CounterRequest cycles = counter("timed_cycles", CounterRole::kTimedCycles, CounterSource::kClock);
    CounterSet alone = open({cycles});
    ASSERT_TRUE(alone.activate(0));
    alone.read_before();
    alone.read_after();
    EXPECT_EQ(alone.difference(),
              (core::BatchCounts{.pass = 0, .enabled_ns = 0, .running_ns = 0, .counts = {RawCount{40'000}}}));
    EXPECT_EQ(kernel.reads + kernel.usages, 0);
    kernel.chains_ns = {2000, 0};
    alone.read_before();
    alone.read_after();
    EXPECT_THAT(alone.difference().counts, IsEmpty()) << "no rate, no count";
    kernel.chains_ns = {2000, 4000};
    CounterSet beside = open({cycles, counter("a"), switches()});
    ASSERT_TRUE(beside.activate(0));
    beside.read_before();
    beside.read_after();
    EXPECT_EQ(beside.counters().passes, (std::vector<std::vector<std::size_t>>{{1, 2, 0}}));
    EXPECT_THAT(beside.difference().counts, ElementsAre(RawCount{5}, RawCount{2}, RawCount{40'000}));
}

TEST_F(CounterSets, ThatWrapOrGoBackwardsGiveTheSignedDifference) {
    kernel.steps = {{"a", static_cast<std::uint64_t>(-3)}};
    CounterSet counters = open({counter("a")});
    ASSERT_TRUE(counters.activate(0));
    counters.read_before();
    counters.read_after();
    EXPECT_THAT(counters.difference().counts, ElementsAre(RawCount{-3}));
}

TEST_F(CounterSets, ThatCannotBeEnabledSayWhichAndWhy) {
    CounterSet counters = open({counter("a"), counter("b")});
    kernel.enable_error = ENODEV;
    const core::Status active = counters.activate(0);
    ASSERT_FALSE(active);
    EXPECT_EQ(active.error().what, "cannot enable the counters 'a', 'b': No such device");
    counters.read_before();
    counters.read_after();
    EXPECT_THAT(counters.difference().counts, IsEmpty());
}

TEST_F(CounterSets, GiveNothingForABatchThatHasNotEnded) {
    CounterSet counters = open({counter("a")});
    ASSERT_TRUE(counters.activate(0));
    counters.read_before();
    counters.read_after();
    counters.read_before();
    EXPECT_THAT(counters.difference().counts, IsEmpty());
}

TEST_F(CounterSets, WithoutAnActivePassReadNothing) {
    CounterSet counters = open({counter("a")});
    const int reads = kernel.reads;
    counters.read_before();
    counters.read_after();
    EXPECT_THAT(counters.difference().counts, IsEmpty());
    EXPECT_EQ(kernel.reads, reads);
}

TEST_F(CounterSets, ThatWereMovedCloseTheirDescriptorsOnce) {
    CounterSet first = open({counter("a"), counter("b")});
    CounterSet second = std::move(first);
    second = open({counter("c")});
    EXPECT_EQ(kernel.open_descriptors(), 1U);
}

TEST_F(CounterSets, ForThisMachineGiveItsOwnReasons) {
    kernel.refuse_all = ENOSYS;
    const CounterSet counters = CounterSet::open({counter("a")}, kernel);
    EXPECT_THAT(counters.counters().outcomes[0].problem->reason, HasSubstr("no perf_event_open"));
}

}  // namespace
}  // namespace tare::pmu
