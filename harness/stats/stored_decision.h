// Verdicts on stored values: one look, taken at whatever the records hold, Benjamini-Hochberg over the suite. Pure.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "harness/stats/suite_decision.h"

namespace tare::stats {

/// How far a verdict on stored values reaches.
enum class Standing {
    kIndicative,  ///< what differs between two sessions of unchanged code is unknown: never gates
    kGating,      ///< anchored, or the variance between sessions is part of the standard error
};
[[nodiscard]] std::string_view name_of(Standing standing);  ///< "indicative", "gating"

struct StoredCase {
    std::optional<Contrast> contrast;  ///< of shift_contrast or welch_contrast, at one clock; nothing: too few values
    Margins margins;
    Standing standing = Standing::kIndicative;
    /// Of `contrast.log_ratio`, beside its own: how far the case follows a clock that changed is known roughly
    /// (clock_slope.h). 0: one clock, or unknown.
    double clock_standard_error = 0;
    /// What `contrast.log_ratio` would be more, did the case follow the clock wholly, as most code does: a clock that
    /// is misread makes a slope seem smaller, in all cases alike. A verdict holds for that, too.
    double wholly_log_shift = 0;
};

struct StoredFinding {
    Verdict verdict = Verdict::kInconclusive;
    /// kTooFewPairs: a side has a single value; kSpread: the values do not suffice; kClock: they would, were it known
    /// how the case follows a clock that changed.
    Reason reason = Reason::kTooFewPairs;
    Standing standing = Standing::kIndicative;
    std::optional<Interval> ratio_interval;      ///< new / old, 95 %
    std::optional<double> certifiable_relative;  ///< the smallest bound that these values would prove `same` within
    bool operator==(const StoredFinding&) const = default;
};

struct StoredRules {
    double false_discovery_rate = 0.05;  ///< of both directions together
    Correction correction = Correction::kBenjaminiHochberg;
    double same_alpha = 0.05;
};

[[nodiscard]] std::vector<StoredFinding> decide_stored(std::span<const StoredCase> suite, const StoredRules& rules);

}  // namespace tare::stats
