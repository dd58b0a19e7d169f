// Estimators; Student's t comes from Boost.Math.
#include "harness/stats/estimators.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cassert>
#include <cmath>
#include <numeric>
#include <vector>

namespace tare::stats {

double mean(std::span<const double> values) {
    assert(!values.empty());
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double quantile(std::span<const double> values, double probability) {
    assert(!values.empty() && probability >= 0 && probability <= 1);
    std::vector<double> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    const double place = probability * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

double median(std::span<const double> values) {
    return quantile(values, 0.5);
}

std::optional<double> standard_deviation(std::span<const double> values) {
    if (values.size() < 2) return std::nullopt;
    const double centre = mean(values);
    double squares = 0;
    for (const double v : values) squares += (v - centre) * (v - centre);
    return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

double median_absolute_deviation(std::span<const double> values) {
    const double centre = median(values);
    std::vector<double> distances;
    distances.reserve(values.size());
    for (const double v : values) distances.push_back(std::abs(v - centre));
    return median(distances);
}

double t_quantile(double degrees_of_freedom, double confidence) {
    assert(degrees_of_freedom > 0);
    return boost::math::quantile(boost::math::students_t(degrees_of_freedom), 0.5 + confidence / 2);
}

std::optional<Interval> t_interval(std::span<const double> values, double confidence) {
    const std::optional<double> spread = standard_deviation(values);
    if (!spread) return std::nullopt;
    const auto count = static_cast<double>(values.size());
    const double half = t_quantile(count - 1, confidence) * *spread / std::sqrt(count);
    const double centre = mean(values);
    return Interval{centre - half, centre + half};
}

std::optional<Interval> log_t_interval(std::span<const double> values, double confidence) {
    std::vector<double> logs;
    logs.reserve(values.size());
    for (const double v : values) {
        if (!(v > 0)) return std::nullopt;
        logs.push_back(std::log(v));
    }
    const std::optional<Interval> interval = t_interval(logs, confidence);
    if (!interval) return std::nullopt;
    return Interval{std::exp(interval->low), std::exp(interval->high)};
}

std::optional<Interval> median_interval(std::span<const double> values, double confidence) {
    const auto n = static_cast<double>(values.size());
    const double tail = 0.5 * (1 - confidence);
    if (values.empty() || std::pow(0.5, n) > tail) return std::nullopt;
    const boost::math::binomial_distribution<double> below(n, 0.5);
    std::size_t outside = 0;  // order statistics left out on each side
    while (boost::math::cdf(below, static_cast<double>(outside + 1)) <= tail) ++outside;
    std::vector<double> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    return Interval{sorted[outside], sorted[sorted.size() - 1 - outside]};
}

std::optional<Interval> interpolated_median_interval(std::span<const double> values, double confidence) {
    if (!median_interval(values, confidence)) return std::nullopt;
    const std::size_t count = values.size();
    const auto n = static_cast<double>(count);
    const boost::math::binomial_distribution<double> below(n, 0.5);
    const auto held = [&](std::size_t outside) {
        return 1 - 2 * boost::math::cdf(below, static_cast<double>(outside));
    };
    std::size_t outside = 0;
    while (held(outside + 1) >= confidence) ++outside;
    std::vector<double> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    const double excess = (held(outside) - confidence) / (held(outside) - held(outside + 1));
    const auto k = static_cast<double>(outside + 1);
    const double share = (n - k) * excess / (k + (n - 2 * k) * excess);
    const auto between = [&](std::size_t outer, std::size_t inner) {
        return (1 - share) * sorted[outer] + share * sorted[inner];
    };
    return Interval{between(outside, outside + 1), between(count - 1 - outside, count - 2 - outside)};
}

std::optional<Interval> welch_interval(std::span<const double> a, std::span<const double> b, double confidence) {
    const std::optional<double> spread_a = standard_deviation(a);
    const std::optional<double> spread_b = standard_deviation(b);
    if (!spread_a || !spread_b) return std::nullopt;
    const auto count_a = static_cast<double>(a.size());
    const auto count_b = static_cast<double>(b.size());
    const double variance_a = *spread_a * *spread_a / count_a;
    const double variance_b = *spread_b * *spread_b / count_b;
    const double difference = mean(a) - mean(b);
    const double variance = variance_a + variance_b;
    if (variance == 0) return Interval{difference, difference};
    const double degrees =
        variance * variance / (variance_a * variance_a / (count_a - 1) + variance_b * variance_b / (count_b - 1));
    const double half = t_quantile(degrees, confidence) * std::sqrt(variance);
    return Interval{difference - half, difference + half};
}

}  // namespace tare::stats
