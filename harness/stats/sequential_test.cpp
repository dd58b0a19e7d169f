// At stake: 5 %. A case that is slower by exactly the tolerance is called slower in at most 5 of 100 whole sequences of
// looks, one that is slower by exactly the bound is passed in at most 5 of 100; under normal, heavy-tailed,
// contaminated and bimodal noise.
#include "harness/stats/sequential.h"

#include <gmock/gmock.h>

#include "harness/stats/simulate_duet.h"

namespace tare::stats {
namespace {

using testing::HasSubstr;

constexpr Margins kDuetMargins;
constexpr int kDuets = 8000;  // standard error of 5 %: 0.24 points

class SequentialLevel : public testing::TestWithParam<Noise> {};

TEST_P(SequentialLevel, OfSlowerHoldsAtTheTolerance) {
    std::mt19937_64 random(31);
    const LookPlan plan;
    int slower = 0;
    for (int run = 0; run < kDuets; ++run) {
        const auto values = draw_pairs(random, GetParam(), kDuetMargins.log_tolerance(), 0.01, plan.pairs.back());
        slower += extend({}, values, plan, kDuetMargins, false).p_slower <= 0.05;
    }
    EXPECT_LE(slower, kDuets * 0.05) << name_of(GetParam());
    EXPECT_GE(slower, kDuets * 0.01) << name_of(GetParam());
    if (GetParam() == Noise::kGauss) {
        EXPECT_NEAR(slower, kDuets * 0.0335, kDuets * 0.006);  // 4 looks at 1.25 %
    }
}

TEST_P(SequentialLevel, OfNotSlowerHoldsAtTheBound) {
    std::mt19937_64 random(37);
    const LookPlan plan;
    int passed = 0;
    for (int run = 0; run < kDuets; ++run) {
        const auto values = draw_pairs(random, GetParam(), kDuetMargins.log_bound(), 0.01, plan.pairs.back());
        Evidence evidence;
        bool ever = false;
        for (const int pairs : plan.pairs) {
            evidence =
                extend(evidence, std::span(values).first(static_cast<std::size_t>(pairs)), plan, kDuetMargins, false);
            ever = ever || evidence.p_not_slower <= plan.same_alpha;
        }
        passed += ever;
    }
    EXPECT_LE(passed, kDuets * 0.05) << name_of(GetParam());
    EXPECT_GE(passed, kDuets * 0.01) << name_of(GetParam());
    if (GetParam() == Noise::kGauss) {
        EXPECT_NEAR(passed, kDuets * 0.036, kDuets * 0.007);  // 5 looks at 1 %
    }
}

TEST_P(SequentialLevel, OfOpenLooksHoldsThoughOneLooksAfterEveryPair) {
    std::mt19937_64 random(41);
    const LookPlan plan;
    constexpr int kOpenRuns = 1500;
    int slower = 0, passed = 0;
    for (int run = 0; run < kOpenRuns; ++run) {
        const auto noise = draw_pairs(random, GetParam(), 0, 0.01, 80);
        bool ever_slower = false, ever_passed = false;
        for (std::size_t pairs = 6; pairs <= noise.size(); ++pairs) {
            const std::span<const double> seen = std::span(noise).first(pairs);
            // The margins moved, instead of the values: at the tolerance 0 and at the bound 1e-9 of no change.
            const Evidence evidence = open_evidence(seen, plan, Margins{0, 1e-9});
            ever_slower = ever_slower || evidence.p_slower <= 0.05;
            ever_passed = ever_passed || evidence.p_not_slower <= 0.05;
        }
        slower += ever_slower;
        passed += ever_passed;
    }
    EXPECT_LE(slower, kOpenRuns * 0.05) << name_of(GetParam());
    EXPECT_LE(passed, kOpenRuns * 0.05) << name_of(GetParam());
    EXPECT_GE(slower, 1);
}
INSTANTIATE_TEST_SUITE_P(Noises, SequentialLevel, testing::ValuesIn(kAllNoises));

TEST(Sequential, LooksAtThePlannedNumbersOnlyHoweverThePairsArrive) {
    std::mt19937_64 random(43);
    const LookPlan plan;
    const auto values = draw_pairs(random, Noise::kGauss, 0.01, 0.01, 40);
    Evidence one_by_one;
    for (std::size_t pairs = 1; pairs <= values.size(); ++pairs) {
        const int looks_before = one_by_one.looks;
        one_by_one = extend(one_by_one, std::span(values).first(pairs), plan, kDuetMargins, false);
        const bool planned = std::ranges::count(plan.pairs, static_cast<int>(pairs)) == 1;
        EXPECT_EQ(one_by_one.looks - looks_before, planned ? 1 : 0) << pairs;
    }
    EXPECT_EQ(one_by_one, extend({}, values, plan, kDuetMargins, false));
    EXPECT_EQ(extend(one_by_one, values, plan, kDuetMargins, true), one_by_one) << "no look is left for them";
    EXPECT_EQ(one_by_one.pairs, 36);  // the last 4 pairs are beyond the plan
    EXPECT_EQ(*one_by_one.contrast, *contrast_of(std::span(values).first(36)));
}

TEST(Sequential, SharesTheErrorAmongTheLooks) {
    const std::vector<double> values{0.02, 0.021, 0.022, 0.019, 0.018, 0.02, 0.02, 0.023, 0.017, 0.02};
    const Contrast six = *contrast_of(std::span(values).first(6)), ten = *contrast_of(values);
    const Evidence at_six = extend({}, std::span(values).first(9), LookPlan{}, kDuetMargins, false);
    EXPECT_EQ(at_six.p_slower, 1) << "a change is not claimed from 6 pairs";
    EXPECT_DOUBLE_EQ(at_six.p_not_faster, 5 * p_above(six, -kDuetMargins.log_bound()));
    const Evidence at_ten = extend(at_six, values, LookPlan{}, kDuetMargins, false);
    EXPECT_DOUBLE_EQ(at_ten.p_slower, 4 * p_above(ten, kDuetMargins.log_tolerance()));
    EXPECT_DOUBLE_EQ(at_ten.p_not_faster, 5 * p_above(ten, -kDuetMargins.log_bound()));
    EXPECT_EQ(at_ten.p_faster, 1);
}

TEST(Sequential, KeepsTheSmallestPOfTheLooks) {
    std::vector<double> values{0.02, 0.021, 0.022, 0.019, 0.018, 0.02, 0.02, 0.023, 0.017, 0.02};
    const double p_at_ten = extend({}, values, LookPlan{}, kDuetMargins, false).p_slower;
    values.resize(16, -0.03);
    EXPECT_EQ(extend({}, values, LookPlan{}, kDuetMargins, false).p_slower, p_at_ten);
}

TEST(Sequential, SpendsAPlannedLookOnPairsThatEndEarly) {
    std::mt19937_64 random(47);
    const auto values = draw_pairs(random, Noise::kGauss, 0.01, 0.01, 36);
    const auto first = [&](std::size_t pairs) { return std::span(values).first(pairs); };
    const LookPlan plan;
    const Evidence ended = extend({}, first(13), plan, kDuetMargins, true);
    EXPECT_EQ(ended.looks, 3);
    EXPECT_EQ(ended.pairs, 13);
    EXPECT_EQ(extend(ended, first(13), plan, kDuetMargins, true), ended) << "nothing new to look at";
    EXPECT_EQ(extend(ended, first(23), plan, kDuetMargins, false), ended) << "the look after 16 pairs is spent";
    EXPECT_EQ(extend(ended, first(24), plan, kDuetMargins, false).looks, 4);
    EXPECT_EQ(extend(ended, values, plan, kDuetMargins, true).looks, 5);
    EXPECT_EQ(extend({}, first(5), plan, kDuetMargins, true), Evidence{}) << "fewer than the first look asks for";
}

TEST(Sequential, OfSwappedSidesIsMirroredExactly) {
    std::mt19937_64 random(53);
    for (int run = 0; run < 50; ++run) {
        auto values = draw_pairs(random, Noise::kT3, 0.01, 0.01, 36);
        const Evidence evidence = extend({}, values, LookPlan{}, kDuetMargins, false);
        const Evidence open = open_evidence(values, LookPlan{}, kDuetMargins);
        for (double& v : values) v = -v;
        const Evidence swapped = extend({}, values, LookPlan{}, kDuetMargins, false);
        const Evidence open_swapped = open_evidence(values, LookPlan{}, kDuetMargins);
        EXPECT_EQ(evidence.p_slower, swapped.p_faster);
        EXPECT_EQ(evidence.p_not_slower, swapped.p_not_faster);
        EXPECT_EQ(open.p_slower, open_swapped.p_faster);
        EXPECT_EQ(open.p_not_faster, open_swapped.p_not_slower);
    }
}

TEST(LookPlan, IsTheDocumentedOneAndRefusesWhatDecidesNothing) {
    EXPECT_EQ(*make_look_plan({6, 10, 16, 24, 36}, 10, 0.05), LookPlan{});
    EXPECT_EQ(LookPlan{}.looks_for_change(), 4);
    EXPECT_DOUBLE_EQ(LookPlan{}.same_alpha_per_look(), 0.01);
    EXPECT_THAT(make_look_plan({}, 10, 0.05).error().what, HasSubstr("looks after"));
    EXPECT_FALSE(make_look_plan({1, 10}, 10, 0.05));
    EXPECT_FALSE(make_look_plan({6, 16, 16}, 10, 0.05));
    EXPECT_FALSE(make_look_plan({6, 16, 10}, 10, 0.05));
    EXPECT_THAT(make_look_plan({6, 8}, 10, 0.05).error().what, HasSubstr("after 8 pairs, is too early"));
    EXPECT_THAT(make_look_plan({6, 8}, 4, 0.05).error().hint, HasSubstr("at least 5"));
    EXPECT_FALSE(make_look_plan({6, 10}, 10, 0));
    EXPECT_FALSE(make_look_plan({6, 10}, 10, 0.5));
}

}  // namespace
}  // namespace tare::stats
