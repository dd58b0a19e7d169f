// The suite's procedure on fixed contrasts.
#include "harness/stats/stored_decision.h"

#include <algorithm>
#include <cmath>

#include "harness/stats/multiple.h"

namespace tare::stats {

namespace {

/// How a case follows a clock that changed: as far as is known, with the error of that; wholly; or as if it were known.
enum class Following { kAsKnown, kWholly, kCertain };

Contrast contrast_with(const StoredCase& stored, Following following) {
    Contrast contrast = *stored.contrast;
    if (following == Following::kAsKnown)
        contrast.standard_error = std::hypot(contrast.standard_error, stored.clock_standard_error);
    if (following == Following::kWholly) contrast.log_ratio += stored.wholly_log_shift;
    return contrast;
}

/// What has to hold for a verdict: both; or what would, were it known.
enum class Clock { kUnknown, kKnown };

double p_value(const StoredCase& stored, Direction direction, Clock clock) {
    if (!stored.contrast) return 1;
    const auto p_of = [&](Following following) {
        const Contrast contrast = contrast_with(stored, following);
        return p_above(direction == Direction::kSlower ? contrast : mirrored(contrast), stored.margins.log_tolerance());
    };
    return clock == Clock::kKnown ? p_of(Following::kCertain)
                                  : std::max(p_of(Following::kAsKnown), p_of(Following::kWholly));
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

StoredFinding finding_of(const StoredCase& stored, bool slower, bool faster, bool would_be_changed, double same_alpha) {
    StoredFinding finding;
    finding.standing = stored.standing;
    if (!stored.contrast) return finding;
    const Contrast contrast = contrast_with(stored, Following::kAsKnown);
    const Contrast wholly = contrast_with(stored, Following::kWholly);
    finding.ratio_interval = ratio_interval(contrast);
    finding.certifiable_relative =
        std::max(certifiable_bound_relative(contrast, same_alpha), certifiable_bound_relative(wholly, same_alpha));
    Within within(contrast, stored, same_alpha);
    const Within also(wholly, stored, same_alpha);
    within.not_slower = within.not_slower && also.not_slower;
    within.not_faster = within.not_faster && also.not_faster;
    const Within certain(contrast_with(stored, Following::kCertain), stored, same_alpha);
    finding.reason = Reason::kNone;
    if (slower || faster) {
        finding.verdict = slower ? Verdict::kSlower : Verdict::kFaster;
        if (slower ? within.not_slower : within.not_faster) finding.reason = Reason::kSmall;
    } else if (within.not_slower && within.not_faster) {
        finding.verdict = Verdict::kSame;
    } else {
        const bool would_be_same = certain.not_slower && certain.not_faster;
        finding.reason = would_be_changed || would_be_same ? Reason::kClock : Reason::kSpread;
    }
    return finding;
}

}  // namespace

std::string_view name_of(Standing standing) {
    return standing == Standing::kGating ? "gating" : "indicative";
}

std::vector<StoredFinding> decide_stored(std::span<const StoredCase> suite, const StoredRules& rules) {
    const Rejected changed(suite, rules, Clock::kUnknown), certain(suite, rules, Clock::kKnown);
    std::vector<StoredFinding> findings;
    for (std::size_t i = 0; i < suite.size(); ++i)
        findings.push_back(finding_of(suite[i], changed.slower[i], changed.faster[i],
                                      certain.slower[i] || certain.faster[i], rules.same_alpha));
    return findings;
}

}  // namespace tare::stats
