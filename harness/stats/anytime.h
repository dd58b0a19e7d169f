// The anytime-valid t test: holds however often one looks and whenever one stops, at the price of wider intervals
// (1.4 to 2 times). For open-ended and continued runs. Wang and Ramdas, "Anytime-valid t-tests" (arXiv 2310.03722):
// Gaussian mixture over the standardised effect, right Haar over the scale. Pure.
#pragma once

#include <optional>

#include "harness/stats/contrast.h"

namespace tare::stats {

/// Standard deviation of the mixture, in standard deviations of a pair estimate: 1.2 makes the interval narrow for a
/// level of 5 %, 2 for 1 % and less.
[[nodiscard]] double mixture_width(double alpha);

/// A confidence sequence of b / a at 1 - alpha: the probability that it ever misses the truth is at most alpha.
/// Nothing while it is infinite, which it is for the first few pairs. `contrast` is that of contrast_of.
[[nodiscard]] std::optional<Interval> anytime_ratio_interval(const Contrast& contrast, double alpha, double width);

/// The e value against "the truth is `log_limit`": its expectation is at most 1 at any stopping time if that is so.
[[nodiscard]] double e_value(const Contrast& contrast, double log_limit, double width);

/// The e value against "the truth is at most `log_limit`": e_value where the estimate lies above it, 0 elsewhere. Valid
/// for every smaller truth too, since shifting all values down lowers it at every moment.
[[nodiscard]] double e_value_above(const Contrast& contrast, double log_limit, double width);

}  // namespace tare::stats
