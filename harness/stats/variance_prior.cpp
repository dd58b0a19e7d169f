// Method of moments; digamma, trigamma and F come from Boost.Math.
#include "harness/stats/variance_prior.h"

#include <algorithm>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/polygamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>
#include <vector>

#include "harness/stats/estimators.h"

namespace tare::stats {

namespace {

/// Newton's method on 1 / trigamma, which is nearly linear: from this start it rises to the solution (Smyth 2004,
/// appendix). `value` above 0.
double inverse_trigamma(double value) {
    double y = 0.5 + 1 / value;
    constexpr int kMostSteps = 50;
    for (int i = 0; i < kMostSteps; ++i) {
        const double there = boost::math::trigamma(y);
        const double step = there * (1 - there / value) / boost::math::polygamma(2, y);
        y += step;
        if (std::abs(step) < 1e-8 * y) break;
    }
    return y;
}

}  // namespace

std::optional<VariancePrior> variance_prior(std::span<const Moments> cases) {
    constexpr double kRoundingRatio =
        1e-5;  // of the median variance: equal times differ in the last bit of a logarithm
    std::vector<double> variances;
    for (const Moments& each : cases)
        if (each.degrees_of_freedom > 0) variances.push_back(each.variance);
    if (variances.size() < kFewestMoments) return std::nullopt;
    const double smallest = kRoundingRatio * median(variances);
    std::vector<double> logs;  // of the variances, each less what its own degrees of freedom add on average
    double of_estimates = 0;   // the part of their spread that comes from few values
    double all_degrees = 0;    // no prior knows more than all values
    for (const Moments& each : cases) {
        if (!(each.variance > smallest) || !(each.degrees_of_freedom > 0)) continue;
        const double half = each.degrees_of_freedom / 2;
        logs.push_back(std::log(each.variance) - boost::math::digamma(half) + std::log(half));
        of_estimates += boost::math::trigamma(half);
        all_degrees += each.degrees_of_freedom;
    }
    if (logs.size() < kFewestMoments) return std::nullopt;
    const double spread = standard_deviation(logs).value_or(0);
    const double of_cases = spread * spread - of_estimates / static_cast<double>(logs.size());
    const double degrees = of_cases > 0 ? std::min(2 * inverse_trigamma(of_cases), all_degrees) : all_degrees;
    const double half = degrees / 2;
    return VariancePrior{std::exp(mean(logs) + boost::math::digamma(half) - std::log(half)), degrees};
}

Moments moderated(const Moments& moments, const VariancePrior& prior) {
    constexpr double kOtherKind = 0.01;
    const double own = moments.degrees_of_freedom;
    if (!(own > 0)) return moments;
    const boost::math::fisher_f ratios(own, prior.degrees_of_freedom);
    if (boost::math::cdf(boost::math::complement(ratios, moments.variance / prior.variance)) < kOtherKind)
        return moments;
    Moments drawn = moments;
    drawn.degrees_of_freedom = own + prior.degrees_of_freedom;
    drawn.variance = (own * moments.variance + prior.degrees_of_freedom * prior.variance) / drawn.degrees_of_freedom;
    return drawn;
}

}  // namespace tare::stats
