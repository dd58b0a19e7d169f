// One step: new evidence of each undecided case, the procedure over the families "slower" and "faster", a judgement.
#include "harness/stats/suite_decision.h"

#include <algorithm>
#include <cassert>
#include <set>

#include "harness/stats/multiple.h"

namespace tare::stats {

namespace {

struct Seen {
    std::vector<double> values;
    std::vector<bool> fingerprint_changed;
};

Seen seen_until(const CaseSeries& series, int round) {
    Seen seen;
    for (const RoundValue& value : series.values) {
        if (value.round > round) break;
        seen.values.push_back(value.log_ratio);
        seen.fingerprint_changed.push_back(value.fingerprint_changed);
    }
    return seen;
}

std::vector<bool> rejected(const std::vector<CaseState>& states, const SuiteRules& rules, double Evidence::*p) {
    std::vector<double> p_values;
    for (const CaseState& state : states) p_values.push_back(state.evidence.*p);
    const bool any_dependence = rules.looks == Looks::kPlanned && rules.correction == Correction::kBenjaminiYekutieli;
    return any_dependence ? benjamini_yekutieli(p_values, rules.false_discovery_rate)
                          : benjamini_hochberg(p_values, rules.false_discovery_rate);
}

}  // namespace

std::vector<CaseState> advance(std::vector<CaseState> before, std::span<const CaseSeries> suite,
                               const SuiteRules& rules, int round, bool last) {
    assert(before.empty() || before.size() == suite.size());
    std::vector<CaseState> states = std::move(before);
    states.resize(suite.size());
    std::vector<Seen> seen(suite.size());
    std::vector<bool> ends(suite.size());
    for (std::size_t i = 0; i < suite.size(); ++i) {
        if (states[i].decided) continue;
        seen[i] = seen_until(suite[i], round);
        ends[i] = last || (suite[i].last_round && *suite[i].last_round <= round);
        Evidence& evidence = states[i].evidence;
        if (rules.looks == Looks::kOpen) {
            evidence = open_evidence(seen[i].values, rules.plan, suite[i].margins);
        } else {
            evidence = extend(evidence, seen[i].values, rules.plan, suite[i].margins, ends[i]);
            ends[i] = ends[i] || evidence.looks >= rules.plan.looks_for_same();
        }
    }
    const std::vector<bool> slower = rejected(states, rules, &Evidence::p_slower);
    const std::vector<bool> faster = rejected(states, rules, &Evidence::p_faster);
    for (std::size_t i = 0; i < suite.size(); ++i) {
        if (states[i].decided) continue;
        const auto looked_at = seen[i].fingerprint_changed.begin() + states[i].evidence.pairs;
        Claim claim{states[i].evidence, slower[i], faster[i]};
        claim.fingerprint_changed = std::find(seen[i].fingerprint_changed.begin(), looked_at, true) != looked_at;
        states[i].finding = judge(claim, seen[i].values, rules.plan, rules.looks, suite[i].margins, rules.seed);
        states[i].decided = ends[i] || states[i].finding.verdict != Verdict::kInconclusive;
    }
    return states;
}

std::vector<CaseState> reopened(std::vector<CaseState> states) {
    for (CaseState& state : states) state.decided = state.finding.verdict != Verdict::kInconclusive;
    return states;
}

std::vector<CaseState> replay(std::span<const CaseSeries> suite, const SuiteRules& rules,
                              std::span<const int> ended_after_rounds) {
    std::set<int> rounds(ended_after_rounds.begin(), ended_after_rounds.end());
    for (const CaseSeries& series : suite) {
        for (const RoundValue& value : series.values) rounds.insert(value.round);
        if (series.last_round) rounds.insert(*series.last_round);
    }
    std::vector<CaseState> states(suite.size());
    bool ended = false;
    for (const int round : rounds) {
        if (ended) states = reopened(std::move(states));
        states = advance(std::move(states), suite, rules, round, false);
        ended = std::ranges::binary_search(ended_after_rounds, round);
        if (ended) states = advance(std::move(states), suite, rules, round, true);
    }
    return states;
}

}  // namespace tare::stats
