// Sums of variances with Satterthwaite's degrees of freedom.
#include "harness/stats/welch.h"

#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <limits>
#include <vector>

namespace tare::stats {

namespace {

struct Component {
    double variance = 0;
    double degrees_of_freedom = 0;
};

Contrast sum_of(double log_ratio, std::span<const Component> components) {
    double variance = 0, squares = 0;
    for (const Component& component : components) {
        variance += component.variance;
        squares += component.variance * component.variance / component.degrees_of_freedom;
    }
    const double degrees = squares > 0 ? variance * variance / squares : std::numeric_limits<double>::infinity();
    return {log_ratio, std::sqrt(variance), degrees};
}

}  // namespace

std::optional<SessionVariance> session_variance(std::span<const double> session_levels) {
    if (session_levels.size() < static_cast<std::size_t>(kFewestSessions)) return std::nullopt;
    std::vector<double> steps;
    for (std::size_t i = 1; i < session_levels.size(); ++i)
        steps.push_back(std::abs(session_levels[i] - session_levels[i - 1]));
    constexpr double kMedianToSd = 1.4826;  // of a normal distribution
    const double step_sd = kMedianToSd * median(steps);
    // The median of absolute values is 37 % as efficient as the variance, and neighbouring steps share a session, which
    // costs another third (Var of the mean square of successive differences, von Neumann 1941).
    constexpr double kEfficiency = 0.37 * 2 / 3;
    return SessionVariance{step_sd * step_sd / 2, kEfficiency * static_cast<double>(steps.size())};
}

SessionVariance upper_bound(const SessionVariance& variance, double confidence) {
    if (std::isinf(variance.degrees_of_freedom)) return variance;
    const boost::math::chi_squared distribution(variance.degrees_of_freedom);
    const double quantile = boost::math::quantile(distribution, 1 - confidence);
    return {variance.variance * variance.degrees_of_freedom / quantile, std::numeric_limits<double>::infinity()};
}

std::optional<Contrast> welch_contrast(const Moments& old_moments, const Moments& new_moments,
                                       const std::optional<SessionVariance>& session) {
    if (!(old_moments.degrees_of_freedom > 0) || !(new_moments.degrees_of_freedom > 0)) return std::nullopt;
    const Component components[] = {{old_moments.variance / old_moments.count, old_moments.degrees_of_freedom},
                                    {new_moments.variance / new_moments.count, new_moments.degrees_of_freedom}};
    return between_sessions(sum_of(new_moments.mean - old_moments.mean, components), session);
}

Contrast between_sessions(const Contrast& contrast, const std::optional<SessionVariance>& session) {
    if (!session) return contrast;
    const Component components[] = {{contrast.standard_error * contrast.standard_error, contrast.degrees_of_freedom},
                                    {2 * session->variance, session->degrees_of_freedom}};
    return sum_of(contrast.log_ratio, components);
}

}  // namespace tare::stats
