// At stake: what a history shows. A regression and its repair are two change points with the levels around them, nine
// releases with tight intervals can be searched, an unchanged store stays silent.
#include "harness/stats/change_points.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "harness/stats/scan_null.h"
#include "harness/stats/simulate_series.h"

namespace tare::stats {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;
using testing::Lt;
using testing::SizeIs;

struct Level {
    std::size_t first;
    double higher;  ///< than the level before
};

/// Noise around levels; logarithms.
ScanSeries series_of(unsigned seed, std::size_t points, const std::vector<Level>& levels = {}, double spread = 0.004) {
    std::mt19937_64 random(seed);
    ScanSeries series{std::vector<double>(points), {}};
    draw_noise(random, 0, series.values);
    for (double& value : series.values) value *= spread;
    for (const Level& level : levels)
        for (std::size_t i = level.first; i < points; ++i) series.values[i] += level.higher;
    return series;
}

std::vector<ChangePoint> found_in(const ScanSeries& series, const ScanRules& rules = {}) {
    return find_change_points(std::span(&series, 1), rules).front();
}

auto first_is(std::size_t first) {
    return Field("first", &ChangePoint::first, first);
}

TEST(ChangePoints, OfNothingAreNone) {
    EXPECT_THAT(find_change_points({}), IsEmpty());
    for (const std::size_t points : {0, 1, 2, 3, 5, 6}) {
        const ScanSeries constant{std::vector<double>(points, 4.1), std::vector<double>(points, 0.001)};
        EXPECT_THAT(found_in(constant), IsEmpty()) << points;
    }
    EXPECT_THAT(found_in({std::vector<double>(200, 4.1), {}}), IsEmpty());
}

TEST(ChangePoints, OfIndependentValuesAreNotTakenForTheirNoise) {
    // np.add.at through 20 releases: 25.6 times as slow until the fifth, then improved in small steps. Read as noise
    // that carries over, those steps hide the large one.
    const std::vector<double> multiples = {2.38, 2.40, 2.41, 2.37, 2.39, 1.14, 1.13, 1.12, 1.12, 1.09,
                                           1.09, 1.12, 1.06, 1.05, 1.06, 1.03, 1.01, 1.00, 1.00, 1.00};
    ScanSeries series;
    for (const double multiple : multiples) series.values.push_back(std::log(multiple));
    series.standard_errors.assign(multiples.size(), 0.005);
    series.independent = true;
    const std::vector<ChangePoint> found = found_in(series);
    ASSERT_THAT(found, testing::Not(IsEmpty()));
    EXPECT_THAT(found.front(), first_is(5));
    EXPECT_THAT(found.front().p_value, Lt(1e-4));
    series.independent = false;
    const std::vector<ChangePoint> hidden = found_in(series);
    EXPECT_TRUE(hidden.empty() || hidden.front().p_value > 1e-4);
}

TEST(ChangePoints, OfAnExactSeriesAreExact) {
    // Instructions of one call: no spread at all, and a step.
    ScanSeries counts{std::vector<double>(24, std::log(3770)), {}};
    std::fill(counts.values.begin() + 10, counts.values.end(), std::log(3890));
    const std::vector<ChangePoint> found = found_in(counts);
    ASSERT_THAT(found, ElementsAre(first_is(10)));
    EXPECT_EQ(found[0].begin, 0);
    EXPECT_EQ(found[0].end, 24);
    EXPECT_THAT(std::exp(found[0].before), DoubleNear(3770, 1e-6));
    EXPECT_THAT(std::exp(found[0].after), DoubleNear(3890, 1e-6));
    EXPECT_THAT(found[0].p_value, Lt(1e-10));
}

TEST(ChangePoints, OfARegressionAndItsRepairAreTwo) {
    // One split anywhere would see little: the level returns.
    const std::vector<ChangePoint> found = found_in(series_of(3, 100, {{40, 0.03}, {60, -0.03}}));
    ASSERT_THAT(found, ElementsAre(first_is(40), first_is(60)));
    EXPECT_THAT(found[0].after - found[0].before, DoubleNear(0.03, 0.008));
    EXPECT_THAT(found[1].after, DoubleNear(0, 0.004));
}

TEST(ChangePoints, HaveTheMeansOfTheirFinalNeighbours) {
    const ScanSeries series = series_of(4, 200, {{50, 0.05}, {100, 0.04}, {150, -0.03}});
    const std::vector<ChangePoint> found = found_in(series);
    ASSERT_THAT(found, ElementsAre(first_is(50), first_is(100), first_is(150)));
    for (std::size_t k = 0; k < found.size(); ++k) {
        EXPECT_EQ(found[k].begin, k == 0 ? 0 : found[k - 1].first);
        EXPECT_EQ(found[k].end, k + 1 == found.size() ? 200 : found[k + 1].first);
        const auto mean = [&](std::size_t from, std::size_t to) {
            double sum = 0;
            for (std::size_t i = from; i < to; ++i) sum += series.values[i];
            return sum / static_cast<double>(to - from);
        };
        EXPECT_THAT(found[k].before, DoubleNear(mean(found[k].begin, found[k].first), 1e-12));
        EXPECT_THAT(found[k].after, DoubleNear(mean(found[k].first, found[k].end), 1e-12));
    }
}

TEST(ChangePoints, PayForTwoShapesLookedFor) {
    const ScanSeries series = series_of(8, 60, {{30, 0.008}});
    const std::vector<ChangePoint> found = found_in(series);
    ASSERT_THAT(found, SizeIs(1));
    const LevelScan step = scan_level(LevelShape::kStep, series.values);
    const double p = scan_p_value(LevelShape::kStep, 60, step);
    EXPECT_THAT(found[0].p_value / p, DoubleNear(2, 1e-12));
    EXPECT_EQ(found[0].correlation, step.correlation);
}

TEST(ChangePoints, OfNineReleasesAreFoundWhereTheirErrorsAreKnown) {
    ScanSeries releases{{0.001, -0.002, 0.002, 0.000, 0.061, 0.058, 0.060, 0.059, 0.061}, {}};
    EXPECT_THAT(found_in(releases), IsEmpty()) << "too few points to know their spread";
    releases.standard_errors.assign(9, 0.003);
    EXPECT_THAT(found_in(releases), ElementsAre(first_is(4)));
    releases.standard_errors.assign(9, 0.06);
    EXPECT_THAT(found_in(releases), IsEmpty()) << "tight by luck: each value is uncertain by as much as the step";
}

TEST(ChangePoints, SmallerThanAnyoneCaresForAreLeftOut) {
    ScanSeries series{std::vector<double>(60, 0), {}};
    for (std::size_t i = 20; i < 60; ++i) series.values[i] = 0.004;
    EXPECT_THAT(found_in(series), IsEmpty());
    for (std::size_t i = 40; i < 60; ++i) series.values[i] = 0.104;
    const std::vector<ChangePoint> found = found_in(series);
    ASSERT_THAT(found, ElementsAre(first_is(40)));
    EXPECT_EQ(found[0].begin, 0);
    EXPECT_THAT(found[0].before, DoubleNear(0.002, 1e-12)) << "of all 40 points before";
    ScanRules finer;
    finer.least_change = 0.001;
    EXPECT_THAT(found_in(series, finer), ElementsAre(first_is(20), first_is(40)));
}

TEST(ChangePoints, OfTwoLevelsThatAlternateAreNone) {
    ScanSeries ties{{}, {}};
    for (int i = 0; i < 120; ++i) ties.values.push_back(i * 7 % 3 == 0 ? 0.02 : 0.0);
    EXPECT_THAT(found_in(ties), IsEmpty());
}

TEST(ChangePoints, DoNotDependOnDirectionScaleOrCompany) {
    std::vector<ScanSeries> store;
    for (unsigned seed = 0; seed < 12; ++seed)
        store.push_back(series_of(seed, 40 + 9 * seed, {{20 + seed, seed % 3 == 0 ? 0.05 : 0.008}}));
    const auto found = find_change_points(store);
    EXPECT_EQ(find_change_points(store), found);
    std::vector<ScanSeries> mirrored(store.rbegin(), store.rend());
    for (ScanSeries& one : mirrored)
        for (double& value : one.values) value = 3 - value;
    auto back = find_change_points(mirrored);
    std::reverse(back.begin(), back.end());
    std::size_t points = 0;
    for (std::size_t i = 0; i < store.size(); ++i) {
        ASSERT_THAT(back[i], SizeIs(found[i].size()));
        for (std::size_t k = 0; k < found[i].size(); ++k, ++points) {
            EXPECT_EQ(back[i][k].first, found[i][k].first);
            EXPECT_THAT(back[i][k].before, DoubleNear(3 - found[i][k].before, 1e-12));
        }
    }
    EXPECT_GE(points, 10);
}

TEST(ChangePoints, MustBeMoreCertainAmongHundredsOfSeriesThanAlone) {
    const ScanSeries weak = series_of(21, 60, {{40, 0.0115}}, 0.01);
    const ScanSeries strong = series_of(22, 60, {{40, 0.05}});
    EXPECT_THAT(found_in(weak), SizeIs(1));
    std::vector<ScanSeries> store{weak, strong};
    for (unsigned seed = 100; seed < 600; ++seed) store.push_back(series_of(seed, 60));
    const auto found = find_change_points(store);
    EXPECT_THAT(found[0], IsEmpty());
    EXPECT_THAT(found[1], ElementsAre(first_is(40)));
    EXPECT_EQ(std::count_if(found.begin(), found.end(), [](const auto& points) { return !points.empty(); }), 1);
}

TEST(ChangePoints, OfTenThousandPointsAreFound) {
    const std::vector<ChangePoint> found =
        found_in(series_of(31, 10'000, {{1'000, 0.03}, {1'020, -0.03}, {7'777, 0.02}}));
    ASSERT_THAT(found, ElementsAre(first_is(1'000), first_is(1'020), first_is(7'777)));
}

}  // namespace
}  // namespace tare::stats
