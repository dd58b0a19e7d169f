// The suite's procedure on fixed contrasts.
#include "harness/stats/stored_decision.h"

#include "harness/stats/multiple.h"

namespace tare::stats {

namespace {

/// Half the rate for each direction: a lone unchanged case is then called changed in 5 of 100 comparisons, not in 10,
/// and no claim stands beside a two-sided 95 % interval that contradicts it.
std::vector<bool> rejected(std::span<const StoredCase> suite, const StoredRules& rules, Direction direction) {
    std::vector<double> p_values;
    for (const StoredCase& stored : suite) {
        if (!stored.contrast) {
            p_values.push_back(1);
            continue;
        }
        const Contrast contrast = direction == Direction::kSlower ? *stored.contrast : mirrored(*stored.contrast);
        p_values.push_back(p_above(contrast, stored.margins.log_tolerance()));
    }
    const double rate = rules.false_discovery_rate / 2;
    return rules.correction == Correction::kBenjaminiHochberg ? benjamini_hochberg(p_values, rate)
                                                              : benjamini_yekutieli(p_values, rate);
}

StoredFinding finding_of(const StoredCase& stored, bool slower, bool faster, double same_alpha) {
    StoredFinding finding;
    finding.standing = stored.standing;
    if (!stored.contrast) return finding;
    const Contrast& contrast = *stored.contrast;
    finding.ratio_interval = ratio_interval(contrast);
    finding.certifiable_relative = certifiable_bound_relative(contrast, same_alpha);
    const bool not_slower = p_below(contrast, stored.margins.log_bound()) <= same_alpha;
    const bool not_faster = p_above(contrast, -stored.margins.log_bound()) <= same_alpha;
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
