// At stake: of cases that are 5 % slower, beside neighbours, those that are found: 45 of 100 by means, 77 by ranks; and
// that no more than 5 of 100 unchanged ones are called changed, whatever their processes are like.
#include "harness/stats/shift.h"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "harness/stats/welch.h"

namespace tare::stats {
namespace {

using Draw = std::function<double(std::mt19937_64&)>;

double normal(std::mt19937_64& random, double sd) {
    return std::normal_distribution<double>(0, sd)(random);
}

double even(std::mt19937_64& random) {
    return std::uniform_real_distribution<double>()(random);
}

const Draw kNormal = [](std::mt19937_64& random) { return normal(random, 0.015); };
const Draw kTwoModes = [](std::mt19937_64& random) { return normal(random, 0.005) + (even(random) < 0.5 ? 0.08 : 0); };
const Draw kOddMode = [](std::mt19937_64& random) { return normal(random, 0.005) + (even(random) < 0.15 ? 0.08 : 0); };
const Draw kNeighbours = [](std::mt19937_64& random) {
    return normal(random, 0.01) + (even(random) < 0.2 ? std::exponential_distribution<double>(10)(random) : 0);
};

std::vector<double> sample(std::mt19937_64& random, const Draw& draw, int count, double shift = 0) {
    std::vector<double> values;
    for (int i = 0; i < count; ++i) values.push_back(draw(random) + shift);
    return values;
}

/// Expected values from SciPy: numpy.median of all differences, scipy.stats.mannwhitneyu with its continuity.
TEST(ShiftContrast, IsTheMedianOfAllDifferences) {
    const std::vector<double> a{0.11, 0.02, 0.05, 0.03, 0.07, 0.01, 0.04, 0.09, 0.06, 0.08};
    const std::vector<double> b{0.105, 0.075, 0.205, 0.125, 0.095, 0.065, 0.115, 0.085, 0.135};
    const Contrast contrast = *shift_contrast(a, b);
    EXPECT_NEAR(contrast.log_ratio, 0.055, 1e-12);
    EXPECT_NEAR(contrast.standard_error, 0.0178574709, 1e-9);
    EXPECT_EQ(contrast.degrees_of_freedom, 17);
    const Contrast back = *shift_contrast(b, a);
    EXPECT_NEAR(back.log_ratio, -contrast.log_ratio, 1e-12);
    EXPECT_NEAR(back.standard_error, contrast.standard_error, 1e-12);
}

TEST(ShiftContrast, NeedsNineValuesOnEachSide) {
    const std::vector<double> eight(8, 1), nine(9, 1);
    EXPECT_FALSE(shift_contrast(eight, nine));
    EXPECT_FALSE(shift_contrast(nine, eight));
    EXPECT_EQ(*shift_contrast(nine, nine), (Contrast{0, 0, 16})) << "equal values";
}

TEST(ShiftContrast, OfSamplesThatShareNothingIsAsUnlikelyAsTheirRanksSay) {
    std::vector<double> low, high;
    for (int i = 0; i < 9; ++i) {
        low.push_back(1e-9 * i);
        high.push_back(1 + 1e-9 * i);
    }
    const Contrast contrast = *shift_contrast(low, high);
    EXPECT_NEAR(contrast.log_ratio, 1, 1e-6);
    EXPECT_NEAR(p_above(contrast, 0), 1.0 / 48'620, 1e-9) << "as many orders are there";
}

/// Of equal samples but for noise the interval is that of the differences, not what a lone rank makes of it.
TEST(ShiftContrast, OfUnchangedSamplesIsNoWiderThanItsInterval) {
    std::mt19937_64 random(9);
    int wide = 0;
    for (int i = 0; i < 500; ++i) {
        const Contrast contrast = *shift_contrast(sample(random, kNormal, 12), sample(random, kNormal, 12));
        wide += contrast.standard_error > 2 * 0.015 * std::sqrt(2.0 / 12) ? 1 : 0;
    }
    EXPECT_LE(wide, 10);
}

/// Of comparisons of unchanged code, those beyond a one-sided 2.5 %, and 0.1 %, on either side.
std::pair<double, double> alarms(const Draw& draw, int olds, int news, int comparisons) {
    std::mt19937_64 random(7);
    int called = 0, surely = 0;
    for (int i = 0; i < comparisons; ++i) {
        const Contrast contrast = *shift_contrast(sample(random, draw, olds), sample(random, draw, news));
        const double p = std::min(p_above(contrast, 0), p_below(contrast, 0));
        called += p <= 0.025;
        surely += p <= 0.001;
    }
    return {static_cast<double>(called) / comparisons, static_cast<double>(surely) / comparisons};
}

/// Welch's t calls up to 9 of 100 (9 processes against 20 in two modes), t on the ranks' interval alone 11.
TEST(ShiftContrast, KeepsItsErrorRateWhateverTheProcessesAreLike) {
    for (const Draw& draw : {kNormal, kTwoModes, kOddMode, kNeighbours})
        for (const auto& [olds, news] : {std::pair{9, 9}, {12, 12}, {20, 20}, {9, 20}}) {
            const auto [called, surely] = alarms(draw, olds, news, 3000);
            EXPECT_LE(called, 0.065) << olds << " and " << news;   // 5 %; 4 standard errors are 1.6
            EXPECT_LE(surely, 0.0047) << olds << " and " << news;  // 0.2 %; 3.3 standard errors are 0.27
        }
}

TEST(ShiftContrast, FindsWhatAMeanDoesNotBesideNeighbours) {
    std::mt19937_64 random(8);
    int by_ranks = 0, by_means = 0;
    constexpr int kComparisons = 500;
    for (int i = 0; i < kComparisons; ++i) {
        const std::vector<double> olds = sample(random, kNeighbours, 12),
                                  news = sample(random, kNeighbours, 12, std::log(1.05));
        by_ranks += p_above(*shift_contrast(olds, news), 0) <= 0.01;
        by_means += p_above(*welch_contrast(moments_of(olds), moments_of(news), std::nullopt), 0) <= 0.01;
    }
    EXPECT_GE(by_ranks, 0.75 * kComparisons);
    EXPECT_LE(by_means, 0.6 * kComparisons);
}

}  // namespace
}  // namespace tare::stats
