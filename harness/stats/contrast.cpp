// Student's t (Boost.Math) on a contrast.
#include "harness/stats/contrast.h"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace tare::stats {

namespace {

/// The t value that a one-sided test at `alpha` asks for.
double critical_t(const Contrast& contrast, double alpha) {
    return boost::math::quantile(boost::math::complement(boost::math::students_t(contrast.degrees_of_freedom), alpha));
}

}  // namespace

double Contrast::ratio() const {
    return std::exp(log_ratio);
}

std::optional<Contrast> contrast_of(std::span<const double> pair_log_ratios) {
    const std::optional<double> spread = standard_deviation(pair_log_ratios);
    if (!spread) return std::nullopt;
    const auto pairs = static_cast<double>(pair_log_ratios.size());
    return Contrast{mean(pair_log_ratios), *spread / std::sqrt(pairs), pairs - 1};
}

Contrast mirrored(const Contrast& contrast) {
    return {-contrast.log_ratio, contrast.standard_error, contrast.degrees_of_freedom};
}

double p_above(const Contrast& contrast, double log_limit) {
    if (contrast.standard_error == 0) return contrast.log_ratio > log_limit ? 0 : 1;
    const double t = (contrast.log_ratio - log_limit) / contrast.standard_error;
    return boost::math::cdf(boost::math::complement(boost::math::students_t(contrast.degrees_of_freedom), t));
}

double p_below(const Contrast& contrast, double log_limit) {
    return p_above(mirrored(contrast), -log_limit);
}

Interval ratio_interval(const Contrast& contrast, double confidence) {
    const double half = critical_t(contrast, (1 - confidence) / 2) * contrast.standard_error;
    return {std::exp(contrast.log_ratio - half), std::exp(contrast.log_ratio + half)};
}

double certifiable_bound_relative(const Contrast& contrast, double one_sided_alpha) {
    return std::expm1(std::abs(contrast.log_ratio) + critical_t(contrast, one_sided_alpha) * contrast.standard_error);
}

}  // namespace tare::stats
