// Closed forms: the e value in t and the number of pairs, and its inversion to an interval.
#include "harness/stats/anytime.h"

#include <cmath>
#include <limits>

namespace tare::stats {

namespace {

struct Mixture {
    double pairs = 0;
    double growth = 0;  ///< 1 + pairs width^2: how much the mixture spreads the mean, in its variance
};

Mixture mixture_of(const Contrast& contrast, double width) {
    const double pairs = contrast.degrees_of_freedom + 1;
    return {pairs, 1 + pairs * width * width};
}

}  // namespace

double mixture_width(double alpha) {
    return alpha <= 0.01 ? 2 : 1.2;
}

std::optional<Interval> anytime_ratio_interval(const Contrast& contrast, double alpha, double width) {
    const auto [pairs, growth] = mixture_of(contrast, width);
    const double c = std::pow(growth / (alpha * alpha), 1 / pairs);
    if (c >= growth) return std::nullopt;
    const double half = contrast.standard_error * std::sqrt((pairs - 1) * (c - 1) / (1 - c / growth));
    return Interval{std::exp(contrast.log_ratio - half), std::exp(contrast.log_ratio + half)};
}

double e_value(const Contrast& contrast, double log_limit, double width) {
    const auto [pairs, growth] = mixture_of(contrast, width);
    const double distance = contrast.log_ratio - log_limit;
    if (contrast.standard_error == 0)  // the limit t -> 0 or t -> infinity
        return std::exp(std::log(growth) * (distance == 0 ? -0.5 : (pairs - 1) / 2));
    const double t = distance / contrast.standard_error;
    const double u = t * t / (pairs - 1);
    return std::exp(-0.5 * std::log(growth) + pairs / 2 * (std::log1p(u) - std::log1p(u / growth)));
}

double e_value_above(const Contrast& contrast, double log_limit, double width) {
    return contrast.log_ratio > log_limit ? e_value(contrast, log_limit, width) : 0;
}

}  // namespace tare::stats
