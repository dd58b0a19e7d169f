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

/// What is asked of: the times as they are, those at one clock, or both.
enum class Clock { kAsItWas, kOne, kBoth };

/// The larger p-value of both is one whichever of them is the unchanged one: what most code's time follows is the
/// clock, but not all of it does.
double p_value(const StoredCase& stored, Direction direction, Clock clock) {
    const auto p_of = [&](const Contrast& contrast) {
        return p_above(direction == Direction::kSlower ? contrast : mirrored(contrast), stored.margins.log_tolerance());
    };
    if (!stored.contrast) return 1;
    if (clock == Clock::kAsItWas) return p_of(*stored.contrast);
    const double at_one = p_of(at_one_clock(stored));
    return clock == Clock::kOne ? at_one : std::max(at_one, p_of(*stored.contrast));
}

/// Half the rate for each direction: a lone unchanged case is then called changed in 5 of 100 comparisons, not in 10,
/// and no claim stands beside a two-sided 95 % interval that contradicts it.
std::vector<bool> rejected(std::span<const StoredCase> suite, const StoredRules& rules, Direction direction,
                           Clock clock) {
    const double rate = rules.false_discovery_rate / 2;
    std::vector<double> p_values;
    for (const StoredCase& stored : suite) p_values.push_back(p_value(stored, direction, clock));
    return rules.correction == Correction::kBenjaminiHochberg ? benjamini_hochberg(p_values, rate)
                                                              : benjamini_yekutieli(p_values, rate);
}

/// The suite's verdicts in both directions.
struct Rejected {
    Rejected(std::span<const StoredCase> suite, const StoredRules& rules, Clock clock)
        : slower(rejected(suite, rules, Direction::kSlower, clock)),
          faster(rejected(suite, rules, Direction::kFaster, clock)) {}
    std::vector<bool> slower;
    std::vector<bool> faster;
};

/// Which of the bounds a contrast is proven to lie within.
struct Within {
    Within(const Contrast& contrast, const StoredCase& stored, double alpha)
        : not_slower(p_below(contrast, stored.margins.log_bound()) <= alpha),
          not_faster(p_above(contrast, -stored.margins.log_bound()) <= alpha) {}
    bool not_slower;
    bool not_faster;
};

StoredFinding finding_of(const StoredCase& stored, bool slower, bool faster, bool decided_by_one, double same_alpha) {
    StoredFinding finding;
    finding.standing = stored.standing;
    if (!stored.contrast) return finding;
    const Contrast& contrast = *stored.contrast;
    finding.ratio_interval = ratio_interval(contrast);
    finding.certifiable_relative = std::max(certifiable_bound_relative(contrast, same_alpha),
                                            certifiable_bound_relative(at_one_clock(stored), same_alpha));
    const Within as_it_was(contrast, stored, same_alpha), at_one(at_one_clock(stored), stored, same_alpha);
    const bool not_slower = as_it_was.not_slower && at_one.not_slower;
    const bool not_faster = as_it_was.not_faster && at_one.not_faster;
    finding.reason = Reason::kNone;
    if (slower || faster) {
        finding.verdict = slower ? Verdict::kSlower : Verdict::kFaster;
        if (slower ? not_slower : not_faster) finding.reason = Reason::kSmall;
    } else if (not_slower && not_faster) {
        finding.verdict = Verdict::kSame;
    } else {
        const bool same_at_one =
            (as_it_was.not_slower && as_it_was.not_faster) || (at_one.not_slower && at_one.not_faster);
        finding.reason = decided_by_one || same_at_one ? Reason::kClock : Reason::kBudget;
    }
    return finding;
}

}  // namespace

std::string_view name_of(Standing standing) {
    return standing == Standing::kGating ? "gating" : "indicative";
}

std::vector<StoredFinding> decide_stored(std::span<const StoredCase> suite, const StoredRules& rules) {
    const Rejected both(suite, rules, Clock::kBoth);
    const Rejected as_it_was(suite, rules, Clock::kAsItWas), at_one(suite, rules, Clock::kOne);
    std::vector<StoredFinding> findings;
    for (std::size_t i = 0; i < suite.size(); ++i) {
        const bool decided_by_one = as_it_was.slower[i] || as_it_was.faster[i] || at_one.slower[i] || at_one.faster[i];
        findings.push_back(finding_of(suite[i], both.slower[i], both.faster[i], decided_by_one, rules.same_alpha));
    }
    return findings;
}

}  // namespace tare::stats
