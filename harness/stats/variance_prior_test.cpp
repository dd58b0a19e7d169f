// At stake: two runs of 80 cases, eight processes each: of cases that are 5 % slower 95 of 100 are to be found, where
// its own eight values alone find 91, and of unchanged suites no more than 5 of 100 called changed.
#include "harness/stats/variance_prior.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <random>

#include "harness/stats/simulate_duet.h"
#include "harness/stats/stored_decision.h"
#include "harness/stats/welch.h"

namespace tare::stats {
namespace {

constexpr int kProcesses = 8;

/// How the standard deviations of a suite's cases differ.
enum class Suite {
    kAlike,
    kSpread,    ///< by a factor of 1.4, as those of runs on a VM do
    kOutliers,  ///< likewise, and of one case in ten by a factor of 4
};

double draw_sd(std::mt19937_64& random, Suite suite) {
    constexpr double kSd = 0.018;  // of the processes' medians; the median case on a VM of two CPUs
    if (suite == Suite::kAlike) return kSd;
    const double sd = kSd * std::exp(0.34 * std::normal_distribution<double>()(random));
    return suite == Suite::kOutliers && random() % 10 == 0 ? 4 * sd : sd;
}

std::vector<Level> moderated_all(std::vector<Level> levels) {
    if (const auto prior = variance_prior(levels))
        for (Level& level : levels) level = moderated(level, *prior);
    return levels;
}

TEST(VariancePrior, IsFoundFromTheLevelsThatItGave) {
    std::mt19937_64 random(157);
    constexpr double kDegrees = 6, kVariance = 0.0004;
    std::vector<Level> levels;
    for (int i = 0; i < 4000; ++i) {
        const double truth = kVariance * kDegrees / std::chi_squared_distribution<double>(kDegrees)(random);
        levels.push_back({0, truth * std::chi_squared_distribution<double>(7)(random) / 7, 7, kProcesses});
    }
    const VariancePrior prior = *variance_prior(levels);
    EXPECT_NEAR(prior.degrees_of_freedom, kDegrees, 0.6);
    EXPECT_NEAR(prior.variance, kVariance, 0.05 * kVariance);
}

TEST(VariancePrior, OfCasesThatSpreadAlikeKnowsNoMoreThanAllValues) {
    const std::vector<Level> levels(30, Level{0, 0.0004, 7, 8});
    EXPECT_NEAR(variance_prior(levels)->degrees_of_freedom, 210, 1e-9);
}

TEST(VariancePrior, NeedsTwentyLevelsThatHaveASpread) {
    std::vector<Level> levels(19, Level{0, 0.0004, 7, 8});
    levels.push_back({0, 0, 7, 8});  // equal values
    levels.push_back({0, 0, 0, 1});  // a single one
    EXPECT_FALSE(variance_prior(levels));
    levels.push_back({0, 0.0005, 7, 8});
    EXPECT_TRUE(variance_prior(levels));
}

TEST(ModeratedLevel, LiesBetweenItsOwnVarianceAndThePriors) {
    const VariancePrior prior{0.0004, 5};
    const Level level = moderated({0.5, 0.0001, 7, 8}, prior);
    EXPECT_NEAR(level.variance, (7 * 0.0001 + 5 * 0.0004) / 12, 1e-15);
    EXPECT_EQ(level.degrees_of_freedom, 12);
    EXPECT_EQ(level.mean, 0.5);
    EXPECT_EQ(level.count, 8);
    const Level flat = moderated({0.5, 0, 7, 8}, prior);
    EXPECT_NEAR(flat.variance, 5 * 0.0004 / 12, 1e-15) << "eight equal values do not make it certain";
}

TEST(ModeratedLevel, StaysWhatItWasWhereItIsOfAnotherKindOrHasNoSpread) {
    const VariancePrior prior{0.0004, 5};
    const Level wild{0, 0.0004 * 11, 7, 8}, wide{0, 0.0004 * 9, 7, 8}, single{0.5, 0, 0, 1};
    EXPECT_EQ(moderated(wild, prior), wild);  // F with 7 and 5 degrees is above 10.46 in one of 100
    EXPECT_LT(moderated(wide, prior).variance, wide.variance);
    EXPECT_EQ(moderated(single, prior), single);
}

struct Rates {
    double alarms = 0;  ///< of comparisons of unchanged suites, those that call a case changed
    double held = 0;    ///< intervals of unchanged cases that hold 1
    double found = 0;   ///< of cases that are 5 % slower, in suites of which half are
};

constexpr int kCases = 80;
constexpr int kComparisons = 60;

/// By itself, and with what the suite tells.
std::pair<Rates, Rates> rates_of(Suite suite, Noise noise) {
    std::mt19937_64 random(163);
    const auto add = [](const std::vector<Level>& before, const std::vector<Level>& after, Rates& rates) {
        std::vector<StoredCase> unchanged, half;
        for (std::size_t k = 0; k < before.size(); ++k) {
            unchanged.push_back({welch_contrast(before[k], after[k], std::nullopt), {}, Standing::kGating});
            half.push_back(unchanged.back());
            if (k % 2 == 0) half.back().contrast->log_ratio += std::log(1.05);
        }
        const auto is_changed = [](const StoredFinding& finding) {
            return finding.verdict == Verdict::kSlower || finding.verdict == Verdict::kFaster;
        };
        const std::vector<StoredFinding> of_unchanged = decide_stored(unchanged, {}), of_half = decide_stored(half, {});
        rates.alarms += std::ranges::any_of(of_unchanged, is_changed) ? 1.0 / kComparisons : 0;
        for (std::size_t k = 0; k < of_half.size(); ++k) {
            const Interval& interval = *of_unchanged[k].ratio_interval;
            rates.held += interval.low <= 1 && 1 <= interval.high ? 1.0 / kComparisons / kCases : 0;
            rates.found += k % 2 == 0 && of_half[k].verdict == Verdict::kSlower ? 2.0 / kComparisons / kCases : 0;
        }
    };
    std::pair<Rates, Rates> rates;
    for (int i = 0; i < kComparisons; ++i) {
        std::vector<Level> before, after;
        for (int k = 0; k < kCases; ++k) {
            const double sd = draw_sd(random, suite);
            for (std::vector<Level>* side : {&before, &after})
                side->push_back(level_of(draw_pairs(random, noise, 0, sd, kProcesses)));
        }
        add(before, after, rates.first);
        add(moderated_all(before), moderated_all(after), rates.second);
    }
    return rates;
}

TEST(ModeratedComparisons, FindMoreAndKeepTheirErrorRate) {
    for (const Suite suite : {Suite::kAlike, Suite::kSpread, Suite::kOutliers})
        for (const Noise noise : {Noise::kGauss, Noise::kT3, Noise::kContaminated, Noise::kBimodal}) {
            const auto [apart, together] = rates_of(suite, noise);
            const std::string where = fmt::format(
                "suite {} {:<12}: unchanged called changed {:.1f} -> {:.1f} %, intervals hold {:.1f} -> {:.1f} %, "
                "found {:.1f} -> {:.1f} %",
                static_cast<int>(suite), name_of(noise), 100 * apart.alarms, 100 * together.alarms, 100 * apart.held,
                100 * together.held, 100 * apart.found, 100 * together.found);
            std::cout << where << '\n';
            EXPECT_LE(together.alarms, 0.05 + 3 * std::sqrt(0.05 * 0.95 / kComparisons)) << where;
            EXPECT_NEAR(together.held, 0.95, 0.02) << where;
            EXPECT_GE(together.found, apart.found - 0.005) << where;
        }
    const auto [apart, together] = rates_of(Suite::kSpread, Noise::kGauss);
    EXPECT_GT(together.found, 0.94);
    EXPECT_LT(apart.found, 0.92);
}

}  // namespace
}  // namespace tare::stats
