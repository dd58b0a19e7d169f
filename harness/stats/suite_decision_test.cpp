// At stake: the same rounds give the same verdicts, live or replayed, and swapped sides the mirrored ones.
#include "harness/stats/suite_decision.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "harness/stats/simulate_duet.h"

namespace tare::stats {
namespace {

/// 20 cases: some slower, some faster, some the same, some too noisy for a verdict; heavy tails.
std::vector<CaseSeries> mixed_suite(unsigned seed, int pairs = 36) {
    std::mt19937_64 random(seed);
    std::vector<CaseSeries> suite;
    for (int i = 0; i < 20; ++i) {
        const double truth = i % 4 == 0 ? 0.03 : i % 4 == 1 ? -0.025 : 0;
        const double sd = i % 5 == 0 ? 0.05 : 0.01;
        suite.push_back(series_of(draw_pairs(random, Noise::kT3, truth, sd, pairs)));
    }
    return suite;
}

int count_of(const std::vector<CaseState>& states, Verdict verdict) {
    return static_cast<int>(
        std::ranges::count_if(states, [&](const CaseState& state) { return state.finding.verdict == verdict; }));
}

/// The last round that the case had any use for.
CaseSeries cut_at(const CaseSeries& series, int round) {
    CaseSeries cut = series;
    std::erase_if(cut.values, [&](const RoundValue& value) { return value.round > round; });
    return cut;
}

std::vector<CaseState> live(const std::vector<CaseSeries>& suite, const SuiteRules& rules, int rounds) {
    std::vector<CaseState> states(suite.size());
    std::vector<CaseSeries> recorded(suite.size());
    for (std::size_t i = 0; i < suite.size(); ++i) recorded[i].margins = suite[i].margins;
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t i = 0; i < suite.size(); ++i)  // only undecided cases are measured
            for (const RoundValue& value : suite[i].values)
                if (value.round == round && !states[i].decided) recorded[i].values.push_back(value);
        states = advance(std::move(states), recorded, rules, round, false);
    }
    states = advance(std::move(states), recorded, rules, rounds - 1, true);
    const std::vector<int> ends{rounds - 1};
    EXPECT_EQ(replay(recorded, rules, ends), states) << "a record of the run gives what the run gave";
    return states;
}

TEST(SuiteDecision, GivesEachCaseItsVerdictAndDecidesAll) {
    const std::vector<CaseState> states = live(mixed_suite(1), {}, 36);
    EXPECT_GE(count_of(states, Verdict::kSlower), 3);
    EXPECT_GE(count_of(states, Verdict::kFaster), 3);
    EXPECT_GE(count_of(states, Verdict::kSame), 6);
    EXPECT_GE(count_of(states, Verdict::kInconclusive), 1);
    for (std::size_t i = 0; i < states.size(); ++i) {
        EXPECT_TRUE(states[i].decided);
        if (i % 4 == 0) {
            EXPECT_NE(states[i].finding.verdict, Verdict::kFaster);
        }
        if (i % 4 == 1) {
            EXPECT_NE(states[i].finding.verdict, Verdict::kSlower);
        }
    }
}

TEST(SuiteDecision, OfSwappedSidesIsMirroredInEveryVerdictReasonAndCount) {
    for (const Looks looks : {Looks::kPlanned, Looks::kOpen})
        for (unsigned seed = 1; seed <= 12; ++seed) {
            const std::vector<CaseSeries> suite = mixed_suite(seed);
            std::vector<CaseSeries> mirror;
            for (const CaseSeries& series : suite) mirror.push_back(swapped(series));
            SuiteRules rules;
            rules.looks = looks;
            const auto states = live(suite, rules, 36), mirrored_states = live(mirror, rules, 36);
            for (std::size_t i = 0; i < suite.size(); ++i) {
                EXPECT_EQ(mirrored_states[i].finding.verdict, mirrored(states[i].finding.verdict));
                EXPECT_EQ(mirrored_states[i].finding.reason, states[i].finding.reason);
                EXPECT_EQ(mirrored_states[i].finding.pairs, states[i].finding.pairs);
                EXPECT_EQ(mirrored_states[i].finding.guards, states[i].finding.guards);
                EXPECT_EQ(mirrored_states[i].finding.contrast->log_ratio, -states[i].finding.contrast->log_ratio);
            }
        }
}

TEST(SuiteDecision, DoesNotDependOnTheOrderOfTheCases) {
    std::vector<CaseSeries> suite = mixed_suite(4);
    std::vector<CaseState> states = live(suite, {}, 36);
    std::ranges::reverse(suite);
    std::ranges::reverse(states);
    EXPECT_EQ(live(suite, {}, 36), states);
}

TEST(SuiteDecision, NeverLooksAtLaterRounds) {
    const std::vector<CaseSeries> suite = mixed_suite(5);
    std::vector<CaseSeries> cut;
    for (const CaseSeries& series : suite) cut.push_back(cut_at(series, 17));
    EXPECT_EQ(advance({}, suite, {}, 17, true), advance({}, cut, {}, 17, true));
}

TEST(SuiteDecision, FreezesWhatIsDecidedAndStopsAfterTheLastLook) {
    std::vector<CaseSeries> suite = mixed_suite(6, 40);
    const std::vector<CaseState> at_look = advance({}, suite, {}, 15, false);
    ASSERT_GE(count_of(at_look, Verdict::kSame), 1);
    for (CaseSeries& series : suite)
        for (RoundValue& value : series.values) value.log_ratio += value.round > 15 ? 0.5 : 0;
    const std::vector<CaseState> later = advance(at_look, suite, {}, 39, false);
    for (std::size_t i = 0; i < suite.size(); ++i) {
        if (at_look[i].decided) {
            EXPECT_EQ(later[i], at_look[i]);
        }
        EXPECT_TRUE(later[i].decided) << "no planned look is left";
    }
}

TEST(SuiteDecision, MakesOneClaimAmongManyHarderThanAmongFew) {
    // 3 % at an SD of 1.3 %, 10 pairs: 4 p = 0.003, below 5 % / 2 but not below 5 % / 60.
    std::mt19937_64 random(8);
    std::vector<CaseSeries> suite{series_of({0.010, 0.045, 0.022, 0.037, 0.012, 0.047, 0.020, 0.039, 0.016, 0.042})};
    suite.push_back(series_of(draw_pairs(random, Noise::kGauss, 0, 0.01, 10)));
    EXPECT_EQ(advance({}, suite, {}, 9, true)[0].finding.verdict, Verdict::kSlower);
    while (suite.size() < 60) suite.push_back(series_of(draw_pairs(random, Noise::kGauss, 0, 0.01, 10)));
    EXPECT_EQ(advance({}, suite, {}, 9, true)[0].finding.verdict, Verdict::kInconclusive);
    SuiteRules any_dependence;
    any_dependence.correction = Correction::kBenjaminiYekutieli;
    suite.resize(2);
    const double p = advance({}, suite, {}, 9, true)[0].evidence.p_slower;
    any_dependence.false_discovery_rate = 2.5 * p;  // Benjamini-Hochberg asks for 2 p, with Yekutieli's 1 + 1/2 for 3 p
    EXPECT_EQ(advance({}, suite, any_dependence, 9, true)[0].finding.verdict, Verdict::kInconclusive);
    any_dependence.correction = Correction::kBenjaminiHochberg;
    EXPECT_EQ(advance({}, suite, any_dependence, 9, true)[0].finding.verdict, Verdict::kSlower);
}

TEST(SuiteDecision, EndsACaseThatGetsNoMorePairsAndKeepsItInTheFamily) {
    std::vector<CaseSeries> suite = mixed_suite(9);
    suite[2] = series_of({0.001, 0.002});
    suite[2].last_round = 1;
    suite[3].values.clear();
    suite[3].last_round = 0;
    std::vector<CaseState> states = advance({}, suite, {}, 0, false);
    EXPECT_TRUE(states[3].decided);
    EXPECT_FALSE(states[2].decided);
    states = advance(std::move(states), suite, {}, 1, false);
    EXPECT_TRUE(states[2].decided);
    EXPECT_EQ(states[2].finding.reason, Reason::kTooFewPairs);
    EXPECT_EQ(states[2].finding.pairs, 2);
    EXPECT_FALSE(states[1].decided);
}

TEST(SuiteDecision, HeedsAFingerprintThatChangedAmongThePairsItRestsOn) {
    std::mt19937_64 random(10);
    const std::vector<CaseSeries> steady{series_of(draw_pairs(random, Noise::kGauss, 0.05, 0.005, 16))};
    const auto with_change_at = [&](std::size_t round) {
        std::vector<CaseSeries> suite = steady;
        for (std::size_t i = round; i < 16; ++i) suite[0].values[i].fingerprint_changed = true;
        return advance({}, suite, {}, 12, false)[0].finding;
    };
    EXPECT_EQ(with_change_at(10).verdict, Verdict::kSlower) << "after the look";
    EXPECT_EQ(with_change_at(9).verdict, Verdict::kInconclusive);
    EXPECT_EQ(with_change_at(9).reason, Reason::kUnstable);
}

TEST(SuiteDecision, OfARunThatWasContinuedCountsTheLooksItHadBefore) {
    const std::vector<CaseSeries> suite = mixed_suite(11);
    const std::vector<int> ends{12, 35};
    std::vector<CaseState> states;
    for (int round = 0; round <= 12; ++round) states = advance(std::move(states), suite, {}, round, false);
    states = advance(std::move(states), suite, {}, 12, true);
    EXPECT_TRUE(std::ranges::all_of(states, &CaseState::decided));
    ASSERT_GE(count_of(states, Verdict::kInconclusive), 1);
    states = reopened(std::move(states));
    for (const CaseState& state : states) EXPECT_EQ(state.decided, state.finding.verdict != Verdict::kInconclusive);
    for (int round = 13; round <= 35; ++round) states = advance(std::move(states), suite, {}, round, false);
    states = advance(std::move(states), suite, {}, 35, true);
    EXPECT_EQ(replay(suite, {}, ends), states);
    for (const CaseState& state : states) EXPECT_LE(state.evidence.looks, 5);
    EXPECT_NE(replay(suite, {}, std::vector<int>{35}), states) << "the look after 13 pairs cost one planned look";
}

}  // namespace
}  // namespace tare::stats
