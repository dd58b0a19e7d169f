// At stake: what is said of stored runs reaches no further than what they hold.
#include "harness/stats/stored_decision.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace tare::stats {
namespace {

constexpr Standing kGating = Standing::kGating;

StoredCase stored(double log_ratio, double standard_error, double degrees = 20, Standing standing = kGating) {
    return {Contrast{log_ratio, standard_error, degrees}, {}, standing};
}

TEST(StoredDecision, GivesTheFourVerdicts) {
    const auto findings = decide_stored(std::vector{stored(0.04, 0.003), stored(-0.04, 0.003), stored(0.001, 0.003),
                                                    stored(0.01, 0.02), stored(0.011, 0.0005), stored(-0.015, 0.008)},
                                        {});
    EXPECT_EQ(findings[0].verdict, Verdict::kSlower);
    EXPECT_EQ(findings[0].reason, Reason::kNone);
    EXPECT_EQ(findings[1].verdict, Verdict::kFaster);
    EXPECT_EQ(findings[2].verdict, Verdict::kSame);
    EXPECT_LT(*findings[2].certifiable_relative, 0.02);
    EXPECT_EQ(findings[3].verdict, Verdict::kInconclusive);
    EXPECT_EQ(findings[3].reason, Reason::kBudget);
    EXPECT_EQ(findings[4].verdict, Verdict::kSlower);
    EXPECT_EQ(findings[4].reason, Reason::kSmall);
    EXPECT_EQ(findings[5].verdict, Verdict::kInconclusive) << "not slower, but perhaps faster";
    EXPECT_EQ(*findings[0].ratio_interval, ratio_interval({0.04, 0.003, 20}));
}

/// A clock that is 5 % slower makes a suite 5 % slower, and no change of the code did.
TEST(StoredDecision, ClaimsWhatHoldsWithAndWithoutTheClocksChange) {
    const auto at_clock = [](double log_ratio, double clock_log_ratio, double standard_error = 0.003) {
        StoredCase one = stored(log_ratio, standard_error);
        one.clock_log_ratio = clock_log_ratio;
        return decide_stored(std::vector{one}, {})[0];
    };
    EXPECT_EQ(at_clock(0.04, -0.04).verdict, Verdict::kInconclusive) << "a slower clock explains it";
    EXPECT_EQ(at_clock(0.04, -0.04).reason, Reason::kClock);
    EXPECT_EQ(at_clock(-0.04, 0.04).verdict, Verdict::kInconclusive);
    EXPECT_EQ(at_clock(0.08, -0.04).verdict, Verdict::kSlower) << "and does not explain all of it";
    EXPECT_EQ(at_clock(0.04, 0.04).verdict, Verdict::kSlower) << "in spite of a faster one";
    EXPECT_EQ(at_clock(0, 0.04).verdict, Verdict::kInconclusive) << "a faster clock hides what is slower";
    EXPECT_EQ(at_clock(0, 0.04).reason, Reason::kClock);
    EXPECT_EQ(at_clock(0, 0.01, 0.006).reason, Reason::kClock) << "same by the times alone";
    EXPECT_EQ(at_clock(0.011, 0.011, 0.02).reason, Reason::kBudget) << "the values do not suffice at either clock";
    EXPECT_EQ(at_clock(0, 0.001).verdict, Verdict::kSame);
    EXPECT_EQ(*at_clock(0.04, -0.04).ratio_interval, ratio_interval({0.04, 0.003, 20}))
        << "of the times that are shown";
}

TEST(StoredDecision, NamesTheClockOnlyWhereItWouldHaveBeenClaimedWithoutIt) {
    StoredCase one = stored(0.02, 0.006);
    one.clock_log_ratio = -0.003;
    std::vector<StoredCase> suite(80, stored(0, 0.02));
    suite[0] = one;
    EXPECT_EQ(decide_stored(suite, {})[0].verdict, Verdict::kInconclusive);
    EXPECT_EQ(decide_stored(suite, {})[0].reason, Reason::kBudget) << "among 80 it is too little with one clock, too";
}

/// Cases that do not follow the clock, or whose clock is not what it is taken for: each is far off at one clock, and
/// what is left to tell them is their times, 80 of them.
TEST(StoredDecision, KeepsItsErrorRateWhateverTheClockDoes) {
    constexpr int kSuites = 400, kCases = 80;
    std::mt19937_64 random(20);
    for (const double clock_log_ratio : {0.0, 0.01, -0.03, 0.09}) {
        int alarms = 0;
        for (int i = 0; i < kSuites; ++i) {
            std::vector<StoredCase> suite;
            for (int k = 0; k < kCases; ++k) {
                const bool follows = k % 2 == 0;
                suite.push_back(stored(
                    std::normal_distribution<double>(0, 0.01)(random) - (follows ? clock_log_ratio : 0), 0.01, 1000));
                suite.back().clock_log_ratio = clock_log_ratio;
            }
            const auto findings = decide_stored(suite, {});
            alarms += std::ranges::any_of(findings, [](const StoredFinding& finding) {
                return finding.verdict == Verdict::kSlower || finding.verdict == Verdict::kFaster;
            });
        }
        // 5 % of the suites at most; a true rate of 5 % has more than 38 of 400 in 1 of 10,000
        EXPECT_LE(alarms, 38) << clock_log_ratio;
    }
}

TEST(StoredDecision, OfSingleValuesIsInconclusiveHoweverFarApart) {
    const auto findings = decide_stored(std::vector{StoredCase{std::nullopt, {}, kGating}, stored(0.04, 0.003)}, {});
    EXPECT_EQ(findings[0].verdict, Verdict::kInconclusive);
    EXPECT_EQ(findings[0].reason, Reason::kTooFewPairs);
    EXPECT_FALSE(findings[0].ratio_interval);
    EXPECT_EQ(findings[1].verdict, Verdict::kSlower);
}

TEST(StoredDecision, KeepsItsStanding) {
    const auto findings = decide_stored(
        std::vector{stored(0.04, 0.003, 20, Standing::kIndicative), stored(0.04, 0.003, 20, kGating)}, {});
    EXPECT_EQ(findings[0].standing, Standing::kIndicative);
    EXPECT_EQ(findings[1].standing, kGating);
    EXPECT_EQ(name_of(findings[0].standing), "indicative");
    EXPECT_EQ(name_of(findings[1].standing), "gating");
}

TEST(StoredDecision, CountsAllCasesIncludingThoseWithoutValues) {
    // One-sided p of 3 standard errors beyond the tolerance, at 20 degrees: 0.0035.
    const StoredCase changed = stored(std::log(1.005) + 0.03, 0.01);
    std::vector<StoredCase> suite{changed};
    suite.resize(7, StoredCase{std::nullopt, {}, kGating});
    EXPECT_EQ(decide_stored(suite, {})[0].verdict, Verdict::kSlower);  // 0.0035 <= 2.5 % / 7
    suite.resize(8, StoredCase{std::nullopt, {}, kGating});
    EXPECT_EQ(decide_stored(suite, {})[0].verdict, Verdict::kInconclusive);
    suite.resize(7);
    EXPECT_EQ(decide_stored(suite, {0.05, Correction::kBenjaminiYekutieli, 0.05})[0].verdict, Verdict::kInconclusive);
}

TEST(StoredDecision, ClaimsNothingThatTheIntervalBesideItContradicts) {
    int claimed = 0;
    for (double errors = 0; errors < 6; errors += 0.01) {  // the estimate's distance from the tolerance
        const auto finding = decide_stored(std::vector{stored(std::log(1.005) + errors * 0.05, 0.05)}, {}).front();
        if (finding.verdict != Verdict::kSlower) continue;
        ++claimed;
        EXPECT_GT(finding.ratio_interval->low, 1.005) << errors;
    }
    EXPECT_GT(claimed, 300);
}

TEST(StoredDecision, OfSwappedRecordsIsMirrored) {
    const std::vector<StoredCase> suite{stored(0.04, 0.003), stored(0.011, 0.0005), stored(0.001, 0.003),
                                        stored(-0.01, 0.02)};
    std::vector<StoredCase> mirror = suite;
    for (StoredCase& side : mirror) side.contrast = mirrored(*side.contrast);
    const auto findings = decide_stored(suite, {}), swapped_findings = decide_stored(mirror, {});
    for (std::size_t i = 0; i < suite.size(); ++i) {
        EXPECT_EQ(swapped_findings[i].verdict, mirrored(findings[i].verdict));
        EXPECT_EQ(swapped_findings[i].reason, findings[i].reason);
    }
}

}  // namespace
}  // namespace tare::stats
