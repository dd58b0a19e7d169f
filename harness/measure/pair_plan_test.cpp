// At stake: the size of every batch of a duet, and that an injected 5 % is 5 % and not 4.9 or 5.2.
#include "harness/measure/pair_plan.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tare::measure {
namespace {

PairSettings injecting(double ratio) {
    PairSettings settings;
    settings.injected_ratio = ratio;
    return settings;
}

TEST(SizePair, FillsABatchOfTheSlowerSideWithWholePasses) {
    EXPECT_EQ(size_pair(103.0, 10, {}), (PairSize{1940, 10}));  // 200,000 / 103 = 1941.7, in tens
}

TEST(SizePair, ExecutesSixteenTimesUnlessThatTakesTooLong) {
    EXPECT_EQ(size_pair(19'000, 10, {}), (PairSize{20, 10}));  // 10.5 would do; 16, in tens
    EXPECT_EQ(size_pair(100e3, 1, {}), (PairSize{16, 1}));
    EXPECT_EQ(size_pair(1e6, 1, {}), (PairSize{5, 1}));  // 5 ms
    EXPECT_EQ(size_pair(20e6, 1, {}), (PairSize{1, 1}));
}

TEST(SizePair, OfACostThatIsUnknownIsNoEndlessBatch) {
    EXPECT_LE(size_pair(0, 10, {}).n, 1'000'000'000u);
}

TEST(SizePair, MakesRoomForInjectedWorkWithinOnePercentOfItself) {
    for (const double ratio : {0.005, 0.01, 0.02, 0.03, 0.05, 0.07, 0.5, 3.0, -0.005, -0.03, -0.05, -0.5})
        for (const double cost_ns : {8.0, 61.0, 300.0, 2e3, 15e3, 60e3, 1e6, 7e6}) {
            const int unroll = cost_ns > 20'000 ? 1 : 10;
            const PairSize size = size_pair(cost_ns, unroll, injecting(ratio));
            const auto a = static_cast<double>(size.n);
            const double executed = static_cast<double>(n_of_side_b(size, ratio)) / a - 1;
            EXPECT_LE(std::abs(executed - ratio), 0.01 * std::abs(ratio)) << ratio << " at " << cost_ns << " ns";
            EXPECT_EQ(size.n % static_cast<std::uint64_t>(size.unroll), 0u);
            EXPECT_GE(a * cost_ns, 0.6 * 200e3) << "the batch stays long enough to time";
        }
}

TEST(SizePair, KeepsTheCopiesWhereThereIsRoomWithThem) {
    EXPECT_EQ(size_pair(103.0, 10, injecting(0.05)), (PairSize{2000, 10}));  // 194 passes: 200, and 10 more of them
    EXPECT_EQ(size_pair(2e3, 10, injecting(0.05)), (PairSize{100, 5}));      // 10 passes of 10: 20 of 5, and one more
    EXPECT_EQ(size_pair(15e3, 10, injecting(0.05)), (PairSize{20, 1}));
    EXPECT_EQ(size_pair(1e6, 1, injecting(0.05)), (PairSize{20, 1})) << "longer than any batch without injection";
}

TEST(SizeOfSideB, IsThatOfSideAWithoutInjection) {
    EXPECT_EQ(n_of_side_b({1940, 10}, 0), 1940u);
    EXPECT_EQ(n_of_side_b({1, 1}, 0), 1u);
}

TEST(SizeOfSideB, IsAtLeastOnePass) {
    EXPECT_EQ(n_of_side_b({20, 10}, -0.99), 10u);
}

TEST(LeadIn, IsAQuarterOfABatch) {
    EXPECT_EQ(lead_in_of({1940, 10}, PairSettings{}), 490u);  // 485, in tens
    EXPECT_EQ(lead_in_of({1, 1}, PairSettings{}), 0u);
}

TEST(LeadIn, OfAShortStatementIsHalfAMillisecond) {
    const PairSize size = size_pair(20, 10, {});
    EXPECT_NEAR(static_cast<double>(lead_in_of(size, PairSettings{})) * 20, 500e3, 400);
}

}  // namespace
}  // namespace tare::measure
