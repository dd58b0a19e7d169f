// Contrasts from stored values: two sessions that were not measured side by side. Values: ln of a process's median
// time, one per process, never batches pooled over processes; or ln(b/a), one per pair, of duets whose sides a are one
// pinned reference, for new / old = (new / reference) / (old / reference). Pure.
#pragma once

#include <optional>
#include <span>

#include "harness/stats/contrast.h"
#include "harness/stats/moments.h"

namespace tare::stats {

/// How much a case's level wanders from session to session (clock, neighbours, page placement) beyond what the
/// processes of one session show. Variance of a log time, or of a log ratio to the anchor.
struct SessionVariance {
    double variance = 0;
    double degrees_of_freedom = 0;  ///< of the estimate; infinity where it is known
    bool operator==(const SessionVariance&) const = default;
};

inline constexpr int kFewestSessions = 8;

/// From the levels (log scale) of successive sessions of unchanged code: the median of the absolute successive
/// differences, which neither a slow trend nor a few jumps inflate. Holds the noise within a session too, and is
/// therefore a little too large. Nothing for fewer than kFewestSessions.
[[nodiscard]] std::optional<SessionVariance> session_variance(std::span<const double> session_levels);

/// The variance that is exceeded with probability 1 - `confidence` at most (chi-square), as a known one: for a history
/// too short to be trusted.
[[nodiscard]] SessionVariance upper_bound(const SessionVariance& variance, double confidence = kConfidence);

/// Welch's contrast of independent samples: SE^2 = s_a^2 / P_a + s_b^2 / P_b + 2 session, degrees of freedom after
/// Satterthwaite. The sizes may differ. Nothing where a side has a single value, which has no spread.
[[nodiscard]] std::optional<Contrast> welch_contrast(const Moments& old_moments, const Moments& new_moments,
                                                     const std::optional<SessionVariance>& session);

/// SE^2 + 2 session, degrees of freedom after Satterthwaite; the contrast itself where nothing is known of sessions.
[[nodiscard]] Contrast between_sessions(const Contrast& contrast, const std::optional<SessionVariance>& session);

}  // namespace tare::stats
