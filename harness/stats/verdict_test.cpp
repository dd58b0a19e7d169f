// At stake: which of four words a user reads, and why.
#include "harness/stats/verdict.h"

#include <gmock/gmock.h>

#include <cmath>

#include "harness/stats/anytime.h"
#include "harness/stats/simulate_duet.h"

namespace tare::stats {
namespace {

constexpr Margins kMargins;

/// `pairs` values with exactly this mean and standard deviation, without drift.
std::vector<double> exact_pairs(double mean, double sd, int pairs) {
    std::vector<double> values;
    const double step = sd * std::sqrt((pairs - 1.0) / pairs);
    for (int i = 0; i < pairs; ++i) values.push_back(mean + (i % 2 == 0 ? step : -step));
    return values;
}

Finding judge_pairs(const std::vector<double>& values, bool slower, bool faster, bool fingerprint_changed = false) {
    const Evidence evidence = extend({}, values, LookPlan{}, kMargins, true);
    return judge({evidence, slower, faster, fingerprint_changed}, values, LookPlan{}, Looks::kPlanned, kMargins, 1);
}

TEST(Verdict, OfARejectedCaseIsSlowerOrFaster) {
    const Finding slower = judge_pairs(exact_pairs(0.03, 0.005, 10), true, false);
    EXPECT_EQ(slower.verdict, Verdict::kSlower);
    EXPECT_EQ(slower.reason, Reason::kNone);
    EXPECT_TRUE(slower.guards->hold());
    EXPECT_EQ(judge_pairs(exact_pairs(-0.03, 0.005, 10), false, true).verdict, Verdict::kFaster);
}

TEST(Verdict, IsSmallWhereTheChangeIsProvenToBeBelowTheBound) {
    const Finding finding = judge_pairs(exact_pairs(0.01, 0.001, 10), true, false);
    EXPECT_EQ(finding.verdict, Verdict::kSlower);
    EXPECT_EQ(finding.reason, Reason::kSmall);
    EXPECT_EQ(judge_pairs(exact_pairs(-0.01, 0.001, 10), false, true).reason, Reason::kSmall);
}

TEST(Verdict, IsSameWhereBothDirectionsAreProven) {
    const Finding finding = judge_pairs(exact_pairs(0.001, 0.005, 10), false, false);
    EXPECT_EQ(finding.verdict, Verdict::kSame);
    EXPECT_EQ(finding.reason, Reason::kNone);
    EXPECT_FALSE(finding.guards);
    EXPECT_LT(*finding.certifiable_relative, kMargins.bound_relative);
    EXPECT_EQ(judge_pairs(exact_pairs(0.015, 0.01, 10), false, false).verdict, Verdict::kInconclusive) << "not slower?";
    EXPECT_EQ(judge_pairs(exact_pairs(-0.015, 0.01, 10), false, false).verdict, Verdict::kInconclusive)
        << "not faster?";
}

TEST(Verdict, IsInconclusiveWithItsReason) {
    const Finding wide = judge_pairs(exact_pairs(0.005, 0.06, 36), false, false);
    EXPECT_EQ(wide.verdict, Verdict::kInconclusive);
    EXPECT_EQ(wide.reason, Reason::kBudget);
    EXPECT_GT(*wide.certifiable_relative, kMargins.bound_relative);
    const Finding moved = judge_pairs(exact_pairs(0.03, 0.005, 10), true, false, true);
    EXPECT_EQ(moved.verdict, Verdict::kInconclusive);
    EXPECT_EQ(moved.reason, Reason::kUnstable);
    EXPECT_TRUE(moved.guards->fingerprint_changed);
    const Finding opposed = judge_pairs(exact_pairs(0.03, 0.005, 10), false, true);
    EXPECT_EQ(opposed.reason, Reason::kUnstable) << "an earlier look said faster, the values now say slower";
}

TEST(Verdict, OfTooFewPairsShowsWhatThereIs) {
    const Finding none = judge_pairs({}, false, false);
    EXPECT_EQ(none.reason, Reason::kTooFewPairs);
    EXPECT_FALSE(none.contrast);
    const Finding one = judge_pairs({0.2}, false, false);
    EXPECT_EQ(one.pairs, 1);
    EXPECT_FALSE(one.ratio_interval);
    const Finding four = judge_pairs(exact_pairs(0.2, 0.001, 4), false, false);
    EXPECT_EQ(four.verdict, Verdict::kInconclusive);
    EXPECT_EQ(four.reason, Reason::kTooFewPairs);
    EXPECT_EQ(four.pairs, 4);
    EXPECT_NEAR(four.contrast->ratio(), std::exp(0.2), 1e-12);
    EXPECT_TRUE(four.ratio_interval);
}

TEST(Verdict, ComesWithIntervalsThatHoldAtTheStopAndAtAllLooks) {
    const auto values = exact_pairs(0.01, 0.01, 16);
    const Finding finding = judge_pairs(values, false, false);
    const Contrast contrast = *contrast_of(values);
    EXPECT_EQ(*finding.ratio_interval, ratio_interval(contrast, 0.95));
    EXPECT_EQ(*finding.ratio_interval_kept, ratio_interval(contrast, 0.99));
    EXPECT_EQ(*finding.certifiable_relative, certifiable_bound_relative(contrast, 0.01));
}

TEST(Verdict, OfOpenLooksComesWithTheAnytimeInterval) {
    const auto values = exact_pairs(0.001, 0.004, 17);
    const Evidence evidence = open_evidence(values, LookPlan{}, kMargins);
    const Finding finding = judge({evidence, false, false, false}, values, LookPlan{}, Looks::kOpen, kMargins, 1);
    EXPECT_EQ(finding.verdict, Verdict::kSame);
    EXPECT_EQ(finding.pairs, 17);
    EXPECT_EQ(finding.ratio_interval_kept, anytime_ratio_interval(*contrast_of(values), 0.05, 1.2));
    EXPECT_NEAR(*finding.certifiable_relative, finding.ratio_interval_kept->high - 1, 1e-12);
    const Finding slower = judge_pairs(values, false, false);
    EXPECT_LT(*slower.certifiable_relative, *finding.certifiable_relative) << "looking at any time has its price";
}

TEST(Verdict, HasTheWordsOfTheRecord) {
    EXPECT_EQ(name_of(Verdict::kSlower), "slower");
    EXPECT_EQ(name_of(Verdict::kFaster), "faster");
    EXPECT_EQ(name_of(Verdict::kSame), "same");
    EXPECT_EQ(name_of(Verdict::kInconclusive), "inconclusive");
    EXPECT_EQ(name_of(Reason::kNone), "");
    EXPECT_EQ(name_of(Reason::kSmall), "small");
    EXPECT_EQ(name_of(Reason::kUnstable), "unstable");
    EXPECT_EQ(name_of(Reason::kBudget), "budget");
    EXPECT_EQ(name_of(Reason::kSpread), "spread");
    EXPECT_EQ(name_of(Reason::kTooFewPairs), "too few pairs");
    EXPECT_EQ(name_of(Reason::kPlacement), "placement");
    EXPECT_EQ(mirrored(Verdict::kSlower), Verdict::kFaster);
    EXPECT_EQ(mirrored(Verdict::kFaster), Verdict::kSlower);
    EXPECT_EQ(mirrored(Verdict::kSame), Verdict::kSame);
    EXPECT_EQ(mirrored(Verdict::kInconclusive), Verdict::kInconclusive);
}

}  // namespace
}  // namespace tare::stats
