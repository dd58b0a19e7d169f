// At stake: instructions per operation. A count that was not taken must be absent, never 0, and one that was taken must
// come out as the very integer that was read, or a gate at 0.1 instructions alarms over rounding.
#include "harness/core/count_arithmetic.h"

#include <gmock/gmock.h>

namespace tare::core {
namespace {

using testing::DoubleEq;
using testing::IsEmpty;
using testing::Optional;
using testing::SizeIs;

CounterRequest request(const char* name, CounterRole role, CounterSource source = CounterSource::kHardware) {
    CounterRequest made;
    made.name = name;
    made.role = role;
    made.source = source;
    return made;
}

CountedBatch batch(std::size_t pass, std::uint64_t n, std::vector<std::int64_t> values, std::uint64_t enabled_ns = 100,
                   std::uint64_t running_ns = 100) {
    CountedBatch made{.n = n,
                      .counts = {.pass = pass, .enabled_ns = enabled_ns, .running_ns = running_ns, .counts = {}}};
    for (const std::int64_t value : values) made.counts.counts.push_back({value});
    return made;
}

// Two passes, with instructions in both: {instructions, branches}, {instructions, walks}.
const std::vector<CounterRequest> kRequests = {request("instructions", CounterRole::kInstructions),
                                               request("branches", CounterRole::kBranches),
                                               request("dtlb_walks", CounterRole::kDtlbWalks)};
const std::vector<std::vector<std::size_t>> kPasses = {{0, 1}, {0, 2}};

TEST(CountedRatio, IsTheShareOfTheEnabledTimeOverAllBatches) {
    EXPECT_THAT(counted_ratio({batch(0, 1, {1}, 100, 50).counts, batch(0, 1, {1}, 300, 150).counts}),
                Optional(DoubleEq(0.5)));
    EXPECT_THAT(counted_ratio({batch(0, 1, {1}, 100, 100).counts, batch(0, 1, {1}, 300, 0).counts}),
                Optional(DoubleEq(0.25)));
}

TEST(CountedRatio, IsUnknownWhereNothingWasEnabled) {
    EXPECT_EQ(counted_ratio({}), std::nullopt);
    EXPECT_EQ(counted_ratio({batch(0, 1, {1}, 0, 0).counts}), std::nullopt);
}

TEST(Scaled, EstimatesWhatAGroupMissedWhileItWaited) {
    EXPECT_THAT(scaled({600}, 1000, 600), Optional(ScaledCount{1000}));
}

TEST(Scaled, LeavesWhatWasCountedAllTheTimeAsItWasRead) {
    constexpr std::int64_t kLarge = (std::int64_t{1} << 53) - 1;
    EXPECT_EQ(scaled({kLarge}, 3'000'000'007, 3'000'000'007), ScaledCount{static_cast<double>(kLarge)});
    EXPECT_EQ(scaled({0}, 10, 10), ScaledCount{0}) << "a 0 that was counted is one";
}

TEST(Scaled, OfAGroupThatNeverRanIsUnknownAndNotZero) {
    EXPECT_EQ(scaled({0}, 1000, 0), std::nullopt);
    EXPECT_EQ(scaled({0}, 0, 0), std::nullopt);
}

TEST(RungCounts, AreMediansPerExecutionNetOfTheFloorOfOnePass) {
    // 8 statements a pass; 1,000 executions of 50 instructions, and loop code of 16 a pass, 2 an execution.
    const auto counts =
        rung_counts({batch(0, 1000, {52'000, 9'000}), batch(0, 1000, {52'800, 9'100}), batch(0, 1000, {52'100, 9'050})},
                    {batch(0, 100, {1'600, 400}), batch(0, 100, {1'620, 400}), batch(0, 100, {1'600, 408})}, 8,
                    kRequests, {{0, 1}});
    ASSERT_THAT(counts, SizeIs(2));
    EXPECT_EQ(counts[0].counter, 0U);
    EXPECT_DOUBLE_EQ(counts[0].gross, 52.1);
    EXPECT_DOUBLE_EQ(counts[0].floor, 2);
    EXPECT_DOUBLE_EQ(counts[0].net, 50.1);
    EXPECT_DOUBLE_EQ(counts[0].lowest_net, 50);
    EXPECT_EQ(counts[0].counted_ratio, 1);
    EXPECT_EQ(counts[0].batches, 3);
    EXPECT_EQ(counts[1].counter, 1U);
    EXPECT_DOUBLE_EQ(counts[1].net, 9.05 - 0.5);
    EXPECT_THAT(counts[1].instructions, Optional(DoubleEq(50.1)));
}

TEST(RungCounts, OfTheFloorItselfHaveNothingSubtracted) {
    const auto counts = rung_counts({batch(0, 100, {1'600, 400})}, {}, 1, kRequests, {{0, 1}});
    ASSERT_THAT(counts, SizeIs(2));
    EXPECT_DOUBLE_EQ(counts[0].floor, 0);
    EXPECT_DOUBLE_EQ(counts[0].net, 16);
}

TEST(RungCounts, OfACounterInSeveralPassesUseThemAllAndOfAnyOtherItsOwnPassOnly) {
    const auto counts = rung_counts({batch(0, 10, {1000, 100}), batch(1, 10, {3000, 7}), batch(1, 10, {2000, 9})},
                                    {batch(0, 10, {100, 10}), batch(1, 10, {300, 0})}, 1, kRequests, kPasses);
    ASSERT_THAT(counts, SizeIs(3));
    EXPECT_DOUBLE_EQ(counts[0].gross, 200) << "median over the three batches of both passes";
    EXPECT_DOUBLE_EQ(counts[0].floor, 20);
    EXPECT_EQ(counts[0].batches, 3);
    EXPECT_DOUBLE_EQ(counts[1].net, 10 - 1);
    EXPECT_EQ(counts[1].batches, 1);
    EXPECT_THAT(counts[1].instructions, Optional(DoubleEq(100 - 10))) << "of the first pass";
    EXPECT_DOUBLE_EQ(counts[2].gross, 0.8);
    EXPECT_DOUBLE_EQ(counts[2].net, 0.8);
    EXPECT_THAT(counts[2].instructions, Optional(DoubleEq(250 - 30))) << "of the second pass";
}

TEST(RungCounts, LeaveOutACounterThatNoBatchCouldRead) {
    const auto counts = rung_counts({batch(0, 10, {1000, 100}), batch(1, 10, {})},
                                    {batch(0, 10, {0, 0}), batch(1, 10, {0, 0})}, 1, kRequests, kPasses);
    ASSERT_THAT(counts, SizeIs(2));
    EXPECT_EQ(counts[0].batches, 1) << "the lost batch does not count as one of 0 instructions";
    EXPECT_DOUBLE_EQ(counts[0].net, 100);
    EXPECT_EQ(counts[1].counter, 1U);
}

TEST(RungCounts, LeaveOutACounterWhoseFloorWasLost) {
    const auto counts = rung_counts({batch(0, 10, {1000, 100}), batch(1, 10, {1000, 7})},
                                    {batch(0, 10, {0, 0}), batch(1, 10, {})}, 1, kRequests, kPasses);
    ASSERT_THAT(counts, SizeIs(2));
    EXPECT_EQ(counts[1].counter, 1U);
    EXPECT_THAT(rung_counts({}, {}, 1, kRequests, kPasses), IsEmpty());
}

TEST(RungCounts, OfAGroupThatNeverRanAreNotThere) {
    EXPECT_THAT(rung_counts({batch(0, 10, {0, 0}, 500, 0)}, {}, 1, kRequests, kPasses), IsEmpty());
}

TEST(RungCounts, AreScaledBatchByBatchAndSayWhichShareOfTheTimeWasCounted) {
    const auto counts =
        rung_counts({batch(0, 10, {500, 50}, 1000, 500), batch(0, 10, {250, 25}, 1000, 250), batch(0, 10, {}, 0, 0)},
                    {}, 1, kRequests, kPasses);
    ASSERT_THAT(counts, SizeIs(2));
    EXPECT_DOUBLE_EQ(counts[0].gross, 100);
    EXPECT_DOUBLE_EQ(counts[0].counted_ratio, 0.375);
    EXPECT_EQ(counts[0].batches, 2);
}

TEST(RungCounts, BelowZeroStayBelowZero) {
    const auto counts = rung_counts({batch(0, 10, {90, -20}), batch(0, 10, {80, -10})}, {batch(0, 10, {100, 0})}, 1,
                                    kRequests, kPasses);
    ASSERT_THAT(counts, SizeIs(2));
    EXPECT_DOUBLE_EQ(counts[0].net, -1.5);
    EXPECT_DOUBLE_EQ(counts[0].lowest_net, -2);
    EXPECT_DOUBLE_EQ(counts[1].net, -1.5);
}

TEST(RungCounts, FromGetrusageAreNeverScaledByThePmusTimes) {
    const std::vector<CounterRequest> requests = {
        request("instructions", CounterRole::kInstructions),
        request("context_switches", CounterRole::kContextSwitches, CounterSource::kUsage)};
    const auto half = rung_counts({batch(0, 10, {500, 20}, 1000, 500)}, {}, 1, requests, {{0, 1}});
    ASSERT_THAT(half, SizeIs(2));
    EXPECT_DOUBLE_EQ(half[0].net, 100);
    EXPECT_DOUBLE_EQ(half[1].net, 2);
    EXPECT_EQ(half[1].counted_ratio, 1);
    const auto alone = rung_counts({batch(0, 10, {20}, 0, 0)}, {}, 1, requests, {{1}});
    ASSERT_THAT(alone, SizeIs(1)) << "a pass without a group has no times";
    EXPECT_DOUBLE_EQ(alone[0].net, 2);
    EXPECT_EQ(alone[0].instructions, std::nullopt) << "none were counted beside it";
}

TEST(RungCounts, WithoutAnInstructionsCounterHaveNoInstructions) {
    const auto counts = rung_counts({batch(0, 10, {30})}, {}, 1, {request("cycles", CounterRole::kCycles)}, {{0}});
    ASSERT_THAT(counts, SizeIs(1));
    EXPECT_EQ(counts[0].instructions, std::nullopt);
}

}  // namespace
}  // namespace tare::core
