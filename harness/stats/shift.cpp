// All differences, sorted: a few hundred of them.
#include "harness/stats/shift.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <vector>

#include "harness/stats/estimators.h"

namespace tare::stats {

namespace {

/// Differences above 0, equal ones as halves: Mann and Whitney's U of the new values.
double wins_of(std::span<const double> differences) {
    double wins = 0;
    for (const double difference : differences) wins += difference > 0 ? 1 : (difference < 0 ? 0 : 0.5);
    return wins;
}

/// That is as unlikely as so many standard errors of a normal distribution.
double as_t(double standard_errors, double degrees_of_freedom) {
    using boost::math::complement;
    const double p = boost::math::cdf(complement(boost::math::normal(), standard_errors));
    return p > 0 ? boost::math::quantile(complement(boost::math::students_t(degrees_of_freedom), p)) : INFINITY;
}

}  // namespace

std::optional<Contrast> shift_contrast(std::span<const double> old_values, std::span<const double> new_values) {
    if (std::min(old_values.size(), new_values.size()) < kFewestForRanks) return std::nullopt;
    std::vector<double> differences;
    for (const double after : new_values)
        for (const double before : old_values) differences.push_back(after - before);
    std::sort(differences.begin(), differences.end());
    const auto olds = static_cast<double>(old_values.size()), news = static_cast<double>(new_values.size());
    const double middle = olds * news / 2;
    const double spread = std::sqrt(olds * news * (olds + news + 1) / 12);  // of U where nothing is shifted
    const double quantile = boost::math::quantile(boost::math::normal(), 0.5 + kConfidence / 2);
    const auto outside = static_cast<std::size_t>(std::max(0.0, middle - quantile * spread));
    Contrast contrast{median(differences), 0, olds + news - 2};
    contrast.standard_error = (differences[differences.size() - 1 - outside] - differences[outside]) / 2 / quantile;
    const double errors = (std::abs(wins_of(differences) - middle) - 0.5) / spread;  // continuity
    if (errors > 0)
        contrast.standard_error =
            std::max(contrast.standard_error, std::abs(contrast.log_ratio) / as_t(errors, contrast.degrees_of_freedom));
    return contrast;
}

}  // namespace tare::stats
