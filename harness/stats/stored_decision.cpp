// The suite's procedure on fixed contrasts.
#include "harness/stats/stored_decision.h"

#include <algorithm>

#include "harness/stats/multiple.h"

namespace tare::stats {

namespace {

/// At the old clock.
Contrast at_one_clock(const StoredCase& stored) {
    Contrast contrast = *stored.contrast;
    contrast.log_ratio += stored.clock_log_ratio;
    return contrast;
}

/// Half the rate for each direction: a lone unchanged case is then called changed in 5 of 100 comparisons, not in 10,
/// and no claim stands beside a two-sided 95 % interval that contradicts it. At one clock, which is what most code's
/// time follows; a claim that the times themselves do not bear out, each by itself, is none.
std::vector<bool> rejected(std::span<const StoredCase> suite, const StoredRules& rules, Direction direction) {
    const double rate = rules.false_discovery_rate / 2;
    std::vector<double> p_values;
    std::vector<bool> borne_out;
    for (const StoredCase& stored : suite) {
        const auto p_of = [&](const Contrast& contrast) {
            return p_above(direction == Direction::kSlower ? contrast : mirrored(contrast),
                           stored.margins.log_tolerance());
        };
        p_values.push_back(stored.contrast ? p_of(at_one_clock(stored)) : 1);
        borne_out.push_back(stored.contrast && p_of(*stored.contrast) <= rate);
    }
    std::vector<bool> claimed = rules.correction == Correction::kBenjaminiHochberg
                                    ? benjamini_hochberg(p_values, rate)
                                    : benjamini_yekutieli(p_values, rate);
    for (std::size_t i = 0; i < claimed.size(); ++i) claimed[i] = claimed[i] && borne_out[i];
    return claimed;
}

StoredFinding finding_of(const StoredCase& stored, bool slower, bool faster, double same_alpha) {
    StoredFinding finding;
    finding.standing = stored.standing;
    if (!stored.contrast) return finding;
    const Contrast& contrast = *stored.contrast;
    finding.ratio_interval = ratio_interval(contrast);
    finding.certifiable_relative = std::max(certifiable_bound_relative(contrast, same_alpha),
                                            certifiable_bound_relative(at_one_clock(stored), same_alpha));
    bool not_slower = true, not_faster = true;
    for (const Contrast& each : {contrast, at_one_clock(stored)}) {
        not_slower &= p_below(each, stored.margins.log_bound()) <= same_alpha;
        not_faster &= p_above(each, -stored.margins.log_bound()) <= same_alpha;
    }
    finding.reason = Reason::kNone;
    if (slower || faster) {
        finding.verdict = slower ? Verdict::kSlower : Verdict::kFaster;
        if (slower ? not_slower : not_faster) finding.reason = Reason::kSmall;
    } else if (not_slower && not_faster) {
        finding.verdict = Verdict::kSame;
    } else {
        finding.reason = Reason::kBudget;
    }
    return finding;
}

}  // namespace

std::string_view name_of(Standing standing) {
    return standing == Standing::kGating ? "gating" : "indicative";
}

std::vector<StoredFinding> decide_stored(std::span<const StoredCase> suite, const StoredRules& rules) {
    const std::vector<bool> slower = rejected(suite, rules, Direction::kSlower);
    const std::vector<bool> faster = rejected(suite, rules, Direction::kFaster);
    std::vector<StoredFinding> findings;
    for (std::size_t i = 0; i < suite.size(); ++i)
        findings.push_back(finding_of(suite[i], slower[i], faster[i], rules.same_alpha));
    return findings;
}

}  // namespace tare::stats
