// At stake: of the cases called changed at most 5 % are not, in suites of 60 to 200.
#include "harness/stats/multiple.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace tare::stats {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(BenjaminiHochberg, RejectsAsInTheirPaper) {
    // Benjamini and Hochberg 1995, section 4: 15 p values, four are rejected at 5 %, where Bonferroni rejects three.
    const std::vector<double> p{0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                                0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000};
    const std::vector<bool> rejected = benjamini_hochberg(p, 0.05);
    EXPECT_EQ(std::ranges::count(rejected, true), 4);
    EXPECT_TRUE(rejected[3]);
    const std::vector<bool> careful = benjamini_yekutieli(p, 0.05);  // 5 % / 3.318
    EXPECT_EQ(std::ranges::count(careful, true), 3);
}

TEST(BenjaminiHochberg, StepsUpFromTheLargestThatPasses) {
    // The smallest two miss their own thresholds (0.0125, 0.025) and are carried by the third (0.0375).
    EXPECT_THAT(benjamini_hochberg(std::vector{0.03, 0.9, 0.026, 0.036}, 0.05), ElementsAre(true, false, true, true));
    EXPECT_THAT(benjamini_hochberg(std::vector{0.05}, 0.05), ElementsAre(true));
    EXPECT_THAT(benjamini_hochberg(std::vector{0.06}, 0.05), ElementsAre(false));
    EXPECT_THAT(benjamini_hochberg({}, 0.05), IsEmpty());
    EXPECT_THAT(benjamini_yekutieli({}, 0.05), IsEmpty());
}

TEST(EBenjaminiHochberg, RejectsWhatTheInverseOfPWould) {
    // N = 4, q = 5 %: thresholds 80, 40, 26.7, 20.
    EXPECT_THAT(e_benjamini_hochberg(std::vector{41.0, 0.0, 39.0, 27.0}, 0.05), ElementsAre(true, false, true, true));
    EXPECT_THAT(e_benjamini_hochberg(std::vector{79.0, 0.0, 1.0, 1.0}, 0.05), Each(false));
    EXPECT_THAT(e_benjamini_hochberg(std::vector{81.0, 0.0, 1.0, 1.0}, 0.05), ElementsAre(true, false, false, false));
    EXPECT_THAT(e_benjamini_hochberg(std::vector{HUGE_VAL, 0.0}, 0.05), ElementsAre(true, false));
}

struct Share {
    double falsely = 0;  ///< mean over suites of the share of false ones among those rejected
    double found = 0;    ///< mean share of the true ones that were rejected
};

enum class Dependence { kNone, kShared, kOpposed };

/// z of a null case is standard normal; a changed one lies 3.5 higher. Dependence: half of the variance is shared by
/// the suite, or half of it with alternating sign.
template <class Rejected>
Share simulate(int cases, Dependence dependence, Rejected&& rejected_of) {
    std::mt19937_64 random(5);
    std::normal_distribution<double> normal;
    constexpr int kSuites = 3000;
    Share share;
    for (int suite = 0; suite < kSuites; ++suite) {
        const double common = normal(random);
        std::vector<double> z;
        for (int i = 0; i < cases; ++i) {
            double value = normal(random);
            if (dependence != Dependence::kNone) {
                const double sign = dependence == Dependence::kOpposed && i % 2 == 1 ? -1 : 1;
                value = std::sqrt(0.5) * (value + sign * common);
            }
            z.push_back(value + (i < cases / 10 ? 3.5 : 0));
        }
        const std::vector<bool> rejected = rejected_of(z);
        double all = 0, wrong = 0;
        for (int i = 0; i < cases; ++i) {
            all += rejected[i];
            wrong += rejected[i] && i >= cases / 10;
        }
        share.falsely += all > 0 ? wrong / all / kSuites : 0;
        share.found += (all - wrong) / (cases / 10) / kSuites;
    }
    return share;
}

std::vector<double> p_values(const std::vector<double>& z) {
    std::vector<double> p;
    for (const double value : z) p.push_back(0.5 * std::erfc(value / std::sqrt(2.0)));
    return p;
}

TEST(FalseDiscoveryRate, OfBenjaminiHochbergIsItsLevelTimesTheUnchangedShare) {
    for (const int cases : {60, 120, 200}) {
        const Share share =
            simulate(cases, Dependence::kNone, [](const auto& z) { return benjamini_hochberg(p_values(z), 0.05); });
        EXPECT_NEAR(share.falsely, 0.045, 0.009) << cases;  // 90 % are unchanged; the standard error is 0.2 points
        EXPECT_GT(share.found, 0.75) << cases;
    }
}

TEST(FalseDiscoveryRate, OfBenjaminiHochbergHoldsWhereNoiseIsShared) {
    for (const Dependence dependence : {Dependence::kShared, Dependence::kOpposed}) {
        const Share share =
            simulate(60, dependence, [](const auto& z) { return benjamini_hochberg(p_values(z), 0.05); });
        EXPECT_LE(share.falsely, 0.05);
        EXPECT_GT(share.found, 0.7);
    }
}

TEST(FalseDiscoveryRate, OfBenjaminiYekutieliIsLowerByTheHarmonicSum) {
    const Share share =
        simulate(60, Dependence::kNone, [](const auto& z) { return benjamini_yekutieli(p_values(z), 0.05); });
    EXPECT_NEAR(share.falsely, 0.045 / 4.68, 0.004);  // 1 + 1/2 + ... + 1/60 = 4.68
    EXPECT_GT(share.found, 0.5);
}

TEST(FalseDiscoveryRate, OfEBenjaminiHochbergHoldsWhereNoiseIsShared) {
    for (const Dependence dependence : {Dependence::kNone, Dependence::kShared, Dependence::kOpposed}) {
        const Share share = simulate(60, dependence, [](const auto& z) {
            std::vector<double> e;
            for (const double value : z) e.push_back(std::exp(3.5 * value - 3.5 * 3.5 / 2));  // mean 1 under the null
            return e_benjamini_hochberg(e, 0.05);
        });
        EXPECT_LE(share.falsely, 0.05);
        EXPECT_GT(share.found, 0.4);
    }
}

}  // namespace
}  // namespace tare::stats
