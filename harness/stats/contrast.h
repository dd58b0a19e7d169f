// A contrast: an estimated ln(b/a) with its standard error, and Student's t on it. Every verdict, live or from stored
// values, rests on one. Pure.
#pragma once

#include <optional>
#include <span>

#include "harness/stats/estimators.h"

namespace tare::stats {

struct Contrast {
    double log_ratio = 0;
    double standard_error = 0;
    double degrees_of_freedom = 1;  ///< infinity where the variance is known

    [[nodiscard]] double ratio() const;  ///< b / a
    bool operator==(const Contrast&) const = default;
};

/// Mean of the pair estimates, t with one degree of freedom less than pairs. Nothing for fewer than 2 pairs.
[[nodiscard]] std::optional<Contrast> contrast_of(std::span<const double> pair_log_ratios);

/// That of a against b.
[[nodiscard]] Contrast mirrored(const Contrast& contrast);

/// p of "the truth is at most `log_limit`". Without any spread 0 or 1.
[[nodiscard]] double p_above(const Contrast& contrast, double log_limit);
/// p of "the truth is at least `log_limit`".
[[nodiscard]] double p_below(const Contrast& contrast, double log_limit);

/// Two-sided t interval of b / a.
[[nodiscard]] Interval ratio_interval(const Contrast& contrast, double confidence = kConfidence);

/// The smallest bound within which both directions would be proven at `one_sided_alpha`, as a relative change.
[[nodiscard]] double certifiable_bound_relative(const Contrast& contrast, double one_sided_alpha);

}  // namespace tare::stats
