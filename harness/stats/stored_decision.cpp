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
/// and no claim stands beside a two-sided 95 % interval that contradicts it. What most code's time follows is the
/// clock, but not all of it does: the larger p-value of the times as they are and of those at one clock is one
/// whichever of the two is the unchanged one.
std::vector<bool> rejected(std::span<const StoredCase> suite, const StoredRules& rules, Direction direction) {
    const double rate = rules.false_discovery_rate / 2;
    std::vector<double> p_values;
    for (const StoredCase& stored : suite) {
        const auto p_of = [&](const Contrast& contrast) {
            return p_above(direction == Direction::kSlower ? contrast : mirrored(contrast),
                           stored.margins.log_tolerance());
        };
        p_values.push_back(stored.contrast ? std::max(p_of(*stored.contrast), p_of(at_one_clock(stored))) : 1);
    }
    return rules.correction == Correction::kBenjaminiHochberg ? benjamini_hochberg(p_values, rate)
                                                              : benjamini_yekutieli(p_values, rate);
}

/// Whether the times as they are and those at one clock, each by itself, say different things.
bool clock_decides(const StoredCase& stored, double rate) {
    const auto direction_of = [&](const Contrast& contrast) {
        return p_above(contrast, stored.margins.log_tolerance()) <= rate             ? 1
               : p_above(mirrored(contrast), stored.margins.log_tolerance()) <= rate ? -1
                                                                                     : 0;
    };
    return direction_of(*stored.contrast) != direction_of(at_one_clock(stored));
}

StoredFinding finding_of(const StoredCase& stored, bool slower, bool faster, const StoredRules& rules) {
    const double same_alpha = rules.same_alpha;
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
        finding.reason = clock_decides(stored, rules.false_discovery_rate / 2) ? Reason::kClock : Reason::kBudget;
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
        findings.push_back(finding_of(suite[i], slower[i], faster[i], rules));
    return findings;
}

}  // namespace tare::stats
