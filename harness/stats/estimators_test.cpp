// At stake: the arithmetic under every number of the table, against values worked out by hand or tabulated.
#include "harness/stats/estimators.h"

#include <gmock/gmock.h>

#include <random>

#include <numeric>

#include <cmath>
#include <vector>

namespace tare::stats {
namespace {

using testing::DoubleEq;
using testing::DoubleNear;

TEST(Estimators, MedianOfEvenlyManyIsTheMiddleOfTheInnerTwo) {
    EXPECT_THAT(median(std::vector<double>{9, 1, 4, 2}), DoubleEq(3));
    EXPECT_THAT(median(std::vector<double>{9, 1, 4}), DoubleEq(4));
    EXPECT_THAT(median(std::vector<double>{7}), DoubleEq(7));
}

TEST(Estimators, QuantilesInterpolateBetweenOrderStatistics) {
    const std::vector<double> values{4, 1, 3, 2};
    EXPECT_THAT(quantile(values, 0), DoubleEq(1));
    EXPECT_THAT(quantile(values, 0.25), DoubleEq(1.75));
    EXPECT_THAT(quantile(values, 1), DoubleEq(4));
}

TEST(Estimators, MedianAbsoluteDeviationDoesNotDependOnTheLocation) {
    const std::vector<double> values{1, 1, 2, 2, 4, 6, 9};
    std::vector<double> moved;
    for (const double v : values) moved.push_back(v + 1000);
    EXPECT_THAT(median_absolute_deviation(values), DoubleEq(1));
    EXPECT_THAT(median_absolute_deviation(moved), DoubleEq(1));
}

TEST(Estimators, TIntervalMatchesTheTabulatedQuantile) {
    // mean 3, standard deviation sqrt(2.5), t(0.975, 4) = 2.776445
    const auto interval = t_interval(std::vector<double>{1, 2, 3, 4, 5});
    ASSERT_TRUE(interval);
    const double half = 2.776445105 * std::sqrt(2.5 / 5);
    EXPECT_THAT(interval->low, DoubleNear(3 - half, 1e-8));
    EXPECT_THAT(interval->high, DoubleNear(3 + half, 1e-8));
}

TEST(Estimators, OneValueHasNoInterval) {
    EXPECT_FALSE(t_interval(std::vector<double>{3}));
    EXPECT_FALSE(log_t_interval(std::vector<double>{3}));
    EXPECT_FALSE(welch_interval(std::vector<double>{3}, std::vector<double>{1, 2}));
}

TEST(Estimators, LogIntervalStaysPositiveWhereThePlainOneDoesNot) {
    const std::vector<double> values{10, 30};
    EXPECT_LT(t_interval(values)->low, 0);
    EXPECT_GT(log_t_interval(values)->low, 0);
    EXPECT_FALSE(log_t_interval(std::vector<double>{10, 0}));
    EXPECT_FALSE(log_t_interval(std::vector<double>{10, -1}));
}

TEST(Estimators, WelchMatchesAWorkedExample) {
    // worked out with SciPy 1.10's t.ppf and Satterthwaite's formula
    const std::vector<double> a{27.5, 21.0, 19.0, 23.6, 17.0, 17.9};
    const std::vector<double> b{27.1, 22.0, 20.8, 23.4};
    const auto interval = welch_interval(a, b);
    ASSERT_TRUE(interval);
    EXPECT_THAT(interval->low, DoubleNear(-7.21537676, 1e-6));
    EXPECT_THAT(interval->high, DoubleNear(2.56537676, 1e-6));
}

TEST(MedianInterval, LeavesOutTheOrderStatisticsOfTheBinomialTable) {
    std::vector<double> values(24);
    std::iota(values.begin(), values.end(), 1.0);
    // P(Bin(24, 1/2) <= 6) = 0.0113, P(<= 7) = 0.0320: the 7th and the 18th value.
    EXPECT_EQ(median_interval(values), (Interval{7, 18}));
    EXPECT_EQ(median_interval(std::vector<double>{1, 2, 3, 4, 5, 6}), (Interval{1, 6}));  // 2/64 = 0.031
    EXPECT_EQ(median_interval(std::vector<double>{1, 2, 3, 4, 5}), std::nullopt);         // 2/32 = 0.0625
}

TEST(MedianInterval, IsNotMovedByAnInterruptedBatch) {
    std::vector<double> values(24, 100.0);
    values[3] = 1e6;
    EXPECT_EQ(median_interval(values), (Interval{100, 100}));
}

TEST(MedianInterval, HoldsTheMedianOfASkewedDistributionAsOftenAsItSays) {
    std::mt19937_64 random(7);
    std::lognormal_distribution<double> distribution(0, 1);
    int held = 0;
    constexpr int kRuns = 20'000;
    for (int run = 0; run < kRuns; ++run) {
        std::vector<double> values(24);
        for (double& value : values) value = distribution(random);
        const auto interval = median_interval(values);
        held += interval && interval->low <= 1 && 1 <= interval->high ? 1 : 0;
    }
    EXPECT_NEAR(static_cast<double>(held) / kRuns, 1 - 2 * 0.0113, 0.004);
}

TEST(InterpolatedMedianInterval, LiesBetweenTheOrderStatisticsThatHoldMoreAndLess) {
    std::vector<double> values(10);
    std::iota(values.begin(), values.end(), 1.0);
    // The 2nd and 9th hold 1 - 22/1024 = 0.9785, the 3rd and 8th 1 - 112/1024 = 0.8906; 0.3244 of the way in confidence
    // is 8 * 0.3244 / (2 + 6 * 0.3244) = 0.658 of the way in values.
    const auto interval = interpolated_median_interval(values);
    ASSERT_TRUE(interval);
    EXPECT_NEAR(interval->low, 2.658, 5e-4);
    EXPECT_NEAR(interval->high, 8.342, 5e-4);
    EXPECT_EQ(interpolated_median_interval(std::vector<double>{1, 2, 3, 4, 5}), std::nullopt);
}

TEST(InterpolatedMedianInterval, HoldsTheMedianAsOftenAsItSays) {
    std::mt19937_64 random(7);
    std::lognormal_distribution<double> skewed(0, 1);
    constexpr int kRuns = 20'000;
    for (const std::size_t count : {9U, 10U, 11U, 15U}) {
        int held = 0;
        for (int run = 0; run < kRuns; ++run) {
            std::vector<double> values(count);
            for (double& value : values) value = skewed(random);
            const auto interval = interpolated_median_interval(values);
            held += interval && interval->low <= 1 && 1 <= interval->high ? 1 : 0;
        }
        EXPECT_NEAR(static_cast<double>(held) / kRuns, 0.95, 0.008) << count;  // 5 standard errors, and its own error
    }
}

}  // namespace
}  // namespace tare::stats
