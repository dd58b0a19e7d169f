// At stake: a scan finds the very cut that explains most, at any length, and says how dependent the noise is.
#include "harness/stats/level_scan.h"

#include <gmock/gmock.h>

#include <cmath>

#include "harness/stats/simulate_series.h"

namespace tare::stats {
namespace {

using testing::DoubleNear;

std::vector<double> noise(unsigned seed, std::size_t points, double correlation = 0) {
    std::mt19937_64 random(seed);
    std::vector<double> values(points);
    draw_noise(random, correlation, values);
    return values;
}

/// The largest Student statistic of two pieces with known cuts, by its textbook formula at every cut.
double best_by_hand(const std::vector<double>& values, LevelShape shape) {
    const std::size_t n = values.size();
    double best = 0;
    for (std::size_t begin = 3; begin + 3 <= n; ++begin)
        for (std::size_t end = begin + (shape == LevelShape::kStep ? 3 : 5); end <= n; ++end) {
            if (shape == LevelShape::kStep ? end != n : end + 3 > n) continue;
            double sums[2]{}, squares = 0;
            for (std::size_t i = 0; i < n; ++i) sums[begin <= i && i < end] += values[i];
            const double inside = static_cast<double>(end - begin), outside = static_cast<double>(n) - inside;
            const double means[2]{sums[0] / outside, sums[1] / inside};
            for (std::size_t i = 0; i < n; ++i) squares += std::pow(values[i] - means[begin <= i && i < end], 2);
            const double spread = std::sqrt(squares / static_cast<double>(n - 2));
            best = std::max(best, std::abs(means[1] - means[0]) / (spread * std::sqrt(1 / inside + 1 / outside)));
        }
    return best;
}

TEST(LevelScan, MaximisesStudentsStatisticOverAllCuts) {
    for (const LevelShape shape : {LevelShape::kStep, LevelShape::kBump})
        for (const std::size_t points : {11, 12, 23, 40}) {
            const std::vector<double> values = noise(static_cast<unsigned>(points), points);
            const LevelScan scan = scan_level(shape, values);
            const double inflation = std::sqrt((1 + scan.correlation) / (1 - scan.correlation));
            EXPECT_THAT(scan.statistic * inflation, DoubleNear(best_by_hand(values, shape), 1e-9)) << points;
        }
}

TEST(LevelScan, LeavesThreePointsToEveryLevelAndFiveToABump) {
    const std::vector<double> late{1, 1, 1, 1, 1, 1, 1, 1, 1, 9, 9};  // the true cut would leave two
    const LevelScan step = scan_level(LevelShape::kStep, late);
    EXPECT_EQ(step.begin, 8);
    EXPECT_EQ(step.end, 11);
    const LevelScan bump = scan_level(LevelShape::kBump, late);
    EXPECT_EQ(bump.begin, 3);
    EXPECT_EQ(bump.end, 8);
}

TEST(LevelScan, OfAConstantSeriesFindsNothing) {
    const std::vector<double> constant(30, std::log(61.7));
    EXPECT_LT(scan_level(LevelShape::kStep, constant).statistic, 0.1);
    EXPECT_LT(scan_level(LevelShape::kBump, constant).statistic, 0.1);
}

TEST(LevelScan, TakesTheFirstOfEqualCuts) {
    const std::vector<double> two_equal{0, 0, 0, 5, 5, 5, 5, 5, 0, 0, 0, 5, 5, 5, 5, 5, 0, 0, 0};
    const LevelScan bump = scan_level(LevelShape::kBump, two_equal);
    EXPECT_EQ(bump.begin, 3);
}

TEST(LevelScan, IsBoundedByWhatIsKnownOfTheSpread) {
    const std::vector<double> tight{0, 0.001, 0, 0.001, 0.002, 0.05, 0.051, 0.05, 0.051};
    EXPECT_GT(scan_level(LevelShape::kStep, tight).statistic, 50);
    const LevelScan bounded = scan_level(LevelShape::kStep, tight, 0.05);
    EXPECT_LT(bounded.statistic, 1.6);
    EXPECT_EQ(bounded.begin, 5);
}

TEST(LevelScan, KnowsHowDependentTheNoiseIs) {
    for (const double correlation : {0.0, 0.5, 0.8}) {
        double sum = 0;
        for (unsigned seed = 0; seed < 200; ++seed)
            sum += scan_level(LevelShape::kStep, noise(seed, 100, correlation)).correlation;
        // Clipped at 0 it lies above 0; the rest of the bias is in the null's table.
        EXPECT_THAT(sum / 200, DoubleNear(correlation, 0.09)) << correlation;
    }
}

TEST(LevelScan, FindsBothEndsOfABumpAmongThousandsOfPoints) {
    std::vector<double> values = noise(5, 10'000);
    for (std::size_t i = 3'337; i < 3'391; ++i) values[i] += 8;
    const LevelScan scan = scan_level(LevelShape::kBump, values);
    EXPECT_EQ(scan.begin, 3'337);
    EXPECT_EQ(scan.end, 3'391);
}

}  // namespace
}  // namespace tare::stats
