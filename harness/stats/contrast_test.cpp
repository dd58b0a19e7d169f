// At stake: Student's t as tabulated, 95 % coverage of the interval over pairs whatever their number, and its mirror.
#include "harness/stats/contrast.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "harness/stats/simulate_duet.h"

namespace tare::stats {
namespace {

TEST(Contrast, IsMeanAndStandardErrorOfThePairs) {
    const Contrast contrast = *contrast_of(std::vector<double>{0.01, 0.02, 0.03, 0.06});
    EXPECT_DOUBLE_EQ(contrast.log_ratio, 0.03);
    EXPECT_NEAR(contrast.standard_error, std::sqrt(0.0014 / 3 / 4), 1e-15);
    EXPECT_EQ(contrast.degrees_of_freedom, 3);
    EXPECT_FALSE(contrast_of(std::vector<double>{0.01}));
    EXPECT_FALSE(contrast_of({}));
}

TEST(Contrast, HasTheTabulatedPValues) {
    // One-sided critical values of Student's t: 5 % at 5 degrees 2.015, 1 % at 5 degrees 3.365, 2.5 % at 35 degrees
    // 2.030, 5 % of the normal distribution 1.645.
    EXPECT_NEAR(p_above({2.015, 1, 5}, 0), 0.05, 5e-5);
    EXPECT_NEAR(p_above({0.5 + 3.365 * 0.2, 0.2, 5}, 0.5), 0.01, 1e-5);
    EXPECT_NEAR(p_below({-2.030, 1, 35}, 0), 0.025, 2e-5);
    EXPECT_NEAR(p_above({1.645, 1, std::numeric_limits<double>::infinity()}, 0), 0.05, 2e-5);
    EXPECT_NEAR(p_above({1, 1, 7}, 0.3) + p_below({1, 1, 7}, 0.3), 1, 1e-15);
}

TEST(Contrast, WithoutSpreadIsCertain) {
    EXPECT_EQ(p_above({0.01, 0, 5}, 0.005), 0);
    EXPECT_EQ(p_above({0.005, 0, 5}, 0.005), 1);
    EXPECT_EQ(p_below({0.001, 0, 5}, 0.005), 0);
}

TEST(Contrast, OfSwappedSidesHasTheMirroredPValuesAndInterval) {
    const Contrast contrast{0.0123, 0.004, 9};
    EXPECT_EQ(p_above(contrast, 0.005), p_below(mirrored(contrast), -0.005));
    const Interval ratios = ratio_interval(contrast), mirror = ratio_interval(mirrored(contrast));
    EXPECT_DOUBLE_EQ(ratios.low * mirror.high, 1);
    EXPECT_DOUBLE_EQ(ratios.high * mirror.low, 1);
    EXPECT_EQ(certifiable_bound_relative(contrast, 0.01), certifiable_bound_relative(mirrored(contrast), 0.01));
}

TEST(Contrast, CanBeCertifiedWithinItsBoundAndNoSmallerOne) {
    const Contrast contrast{-0.006, 0.003, 11};
    const double bound = certifiable_bound_relative(contrast, 0.01);
    const auto p_same = [&](double relative) {
        return std::max(p_below(contrast, std::log1p(relative)), p_above(contrast, -std::log1p(relative)));
    };
    EXPECT_NEAR(p_same(bound), 0.01, 1e-9);
    EXPECT_GT(p_same(0.99 * bound), 0.01);
}

class IntervalCoverage : public testing::TestWithParam<Noise> {};

TEST_P(IntervalCoverage, IsNominalAtAnyFixedNumberOfPairs) {
    std::mt19937_64 random(17);
    constexpr int kRuns = 6000;  // standard error of 95 %: 0.28 points
    const double truth = std::log(1.01);
    for (const int pairs : {6, 10, 36}) {
        int held = 0;
        for (int run = 0; run < kRuns; ++run) {
            const Contrast contrast = *contrast_of(draw_pairs(random, GetParam(), truth, 0.015, pairs));
            const Interval ratios = ratio_interval(contrast);
            held += ratios.low <= 1.01 && 1.01 <= ratios.high;
        }
        // Below 10 pairs two tight modes make it 96.9 %: all on one side or the interval spans both.
        EXPECT_GE(held, kRuns * 0.935) << name_of(GetParam()) << ", " << pairs;
        EXPECT_LE(held, kRuns * 0.98) << name_of(GetParam()) << ", " << pairs;
        if (GetParam() == Noise::kGauss) {
            EXPECT_NEAR(held, kRuns * 0.95, kRuns * 0.0085) << pairs;
        }
    }
}
INSTANTIATE_TEST_SUITE_P(Noises, IntervalCoverage, testing::ValuesIn(kAllNoises));

}  // namespace
}  // namespace tare::stats
