// Estimators of location, spread and their intervals: pure functions on doubles, without units of their own.
// Values come in any order; none is dropped. An empty sample is the caller's mistake unless said otherwise.
#pragma once

#include <optional>
#include <span>

namespace tare::stats {

inline constexpr double kConfidence = 0.95;

struct Interval {
    double low = 0;
    double high = 0;
    bool operator==(const Interval&) const = default;
};

[[nodiscard]] double mean(std::span<const double> values);
[[nodiscard]] double median(std::span<const double> values);

/// The quantile of `probability` in [0, 1], linear between order statistics (Hyndman and Fan 1996, type 7).
[[nodiscard]] double quantile(std::span<const double> values, double probability);

/// Square root of the unbiased variance; nothing for fewer than 2 values.
[[nodiscard]] std::optional<double> standard_deviation(std::span<const double> values);

/// Median of the distances from the median; not scaled to a normal distribution's standard deviation. Our own: that of
/// Boost.Math is right only for samples centred at 0.
[[nodiscard]] double median_absolute_deviation(std::span<const double> values);

/// Half the width of a `confidence` interval for a mean, in standard errors. `degrees_of_freedom` above 0.
[[nodiscard]] double t_quantile(double degrees_of_freedom, double confidence = kConfidence);

/// Student's t interval for the mean. Nothing for fewer than 2 values.
[[nodiscard]] std::optional<Interval> t_interval(std::span<const double> values, double confidence = kConfidence);

/// The same on logarithms, for the geometric mean of positive values with multiplicative noise: never reaches below 0.
/// Nothing for fewer than 2 values or where one is not positive.
[[nodiscard]] std::optional<Interval> log_t_interval(std::span<const double> values, double confidence = kConfidence);

/// Interval between two order statistics for the median, whatever the distribution: the widest pair that leaves at most
/// half the error on each side under Binomial(n, 1/2) (David and Nagaraja 2003, section 7.1). A few interrupted batches
/// do not move it, as they would move a mean. Nothing for fewer values than can hold the confidence (6 at 95 %).
[[nodiscard]] std::optional<Interval> median_interval(std::span<const double> values, double confidence = kConfidence);

/// The same, at `confidence` itself: between two neighbours of those order statistics on each side (Hettmansperger and
/// Sheather 1986, "Confidence intervals based on interpolated order statistics"). Of 11 values the plain interval holds
/// 98.8 %, and is a third wider.
[[nodiscard]] std::optional<Interval> interpolated_median_interval(std::span<const double> values,
                                                                   double confidence = kConfidence);

/// Welch's interval for mean(a) - mean(b) of independent samples, with Satterthwaite's degrees of freedom.
/// Nothing where a sample has fewer than 2 values.
[[nodiscard]] std::optional<Interval> welch_interval(std::span<const double> a, std::span<const double> b,
                                                     double confidence = kConfidence);

}  // namespace tare::stats
