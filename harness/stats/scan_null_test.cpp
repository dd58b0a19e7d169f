// At stake: 1 scan in 100 of mere noise has p <= 0.01, at any number of points and any dependence between them, also
// between the rows of the committed table. Its quantiles come from make_scan_null_table; here is fresh noise.
#include "harness/stats/scan_null.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <ostream>

#include "harness/stats/simulate_series.h"

namespace tare::stats {
namespace {

using testing::AllOf;
using testing::Ge;
using testing::Le;

struct Noise {
    LevelShape shape;
    std::size_t points;
    double correlation;
    friend void PrintTo(const Noise& noise, std::ostream* out) {
        *out << noise.points << " points, correlation " << noise.correlation;
    }
};

class Null : public testing::TestWithParam<Noise> {};

TEST_P(Null, GivesPValuesThatNoiseKeeps) {
    const auto [shape, points, correlation] = GetParam();
    constexpr int kScans = 6'000;
    std::mt19937_64 random(20'261'122 + points);
    std::vector<double> values(points);
    double at_10 = 0, at_1 = 0;
    for (int i = 0; i < kScans; ++i) {
        draw_noise(random, correlation, values);
        LevelScan scan = scan_level(shape, values);
        scan.correlation = correlation;  // the table is by the noise's own
        const double p = scan_p_value(shape, points, scan);
        at_10 += p <= 0.1;
        at_1 += p <= 0.01;
    }
    // Four standard errors of 6,000 scans, and what interpolation may be wrong by.
    EXPECT_THAT(at_10 / kScans, AllOf(Ge(0.080), Le(0.120)));
    EXPECT_THAT(at_1 / kScans, AllOf(Ge(0.0050), Le(0.0155)));
}
INSTANTIATE_TEST_SUITE_P(OfSteps, Null,
                         testing::Values(Noise{LevelShape::kStep, 6, 0}, Noise{LevelShape::kStep, 11, 0.5},
                                         Noise{LevelShape::kStep, 35, 0.3}, Noise{LevelShape::kStep, 100, 0},
                                         Noise{LevelShape::kStep, 150, 0.7}));
INSTANTIATE_TEST_SUITE_P(OfBumps, Null,
                         testing::Values(Noise{LevelShape::kBump, 11, 0}, Noise{LevelShape::kBump, 15, 0.5},
                                         Noise{LevelShape::kBump, 35, 0.3}, Noise{LevelShape::kBump, 50, 0.8}));

double p_of(LevelShape shape, std::size_t points, double statistic, double correlation = 0) {
    return scan_p_value(shape, points, {0, points, statistic, correlation});
}

TEST(Null, ReproducesACriticalValueThatIsKnown) {
    // The 1 % point of the scan of 40 independent values is 3.65, of 100 it is 3.6.
    EXPECT_THAT(p_of(LevelShape::kStep, 40, 3.65), AllOf(Ge(0.008), Le(0.012)));
    EXPECT_THAT(p_of(LevelShape::kStep, 100, 3.60), AllOf(Ge(0.008), Le(0.012)));
}

TEST(Null, FallsWithTheStatisticFromOneToAlmostNothing) {
    for (const LevelShape shape : {LevelShape::kStep, LevelShape::kBump})
        for (const std::size_t points : {11, 33, 100, 777, 50'000})
            for (const double correlation : {0.0, 0.7, 0.9}) {
                double last = 1.0000001;
                for (double statistic = 0; statistic < 60; statistic += 0.375) {
                    const double p = p_of(shape, points, statistic, correlation);
                    EXPECT_LE(p, last) << points << ' ' << statistic;
                    EXPECT_GT(p, 0);
                    last = p;
                }
                if (points >= 30) {
                    EXPECT_LT(last, 1e-7) << points;
                }
            }
    EXPECT_GT(p_of(LevelShape::kStep, 100, 1e300), 0);
    EXPECT_GT(p_of(LevelShape::kStep, 100, std::numeric_limits<double>::infinity()), 0);
}

TEST(Null, AsksForMoreWhereNoiseIsDependentAndPointsAreFew) {
    EXPECT_GT(p_of(LevelShape::kStep, 20, 5, 0.6), 8 * p_of(LevelShape::kStep, 20, 5, 0));
    EXPECT_GT(p_of(LevelShape::kStep, 10, 5, 0), 3 * p_of(LevelShape::kStep, 100, 5, 0));
    EXPECT_GT(p_of(LevelShape::kBump, 100, 4, 0), 3 * p_of(LevelShape::kStep, 100, 4, 0));
}

}  // namespace
}  // namespace tare::stats
