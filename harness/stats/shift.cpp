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

using boost::math::complement;

constexpr double kDoubtful = 0.1;  // a p above it decides nothing

/// Differences above 0, equal ones as halves: Mann and Whitney's U of the new values.
double wins_of(std::span<const double> differences) {
    double wins = 0;
    for (const double difference : differences) wins += difference > 0 ? 1 : (difference < 0 ? 0 : 0.5);
    return wins;
}

constexpr double kMostForExact = 400;  // pairs of values

/// In how many of the orders of so many values of two samples U is 0, 1, 2, ...; by which sample has the largest value.
std::vector<double> orders_by_wins(std::size_t olds, std::size_t news) {
    std::vector<std::vector<double>> counts(news + 1, std::vector<double>(olds * news + 1, 0));
    for (std::vector<double>& count : counts) count[0] = 1;  // without old values
    for (std::size_t n = 1; n <= olds; ++n) {
        for (std::size_t m = 1; m <= news; ++m) {
            std::vector<double> next = counts[m];  // the largest is an old one: it wins nothing
            for (std::size_t wins = n; wins <= n * m; ++wins) next[wins] += counts[m - 1][wins - n];
            counts[m] = std::move(next);
        }
    }
    return counts[news];
}

/// Of as many wins of one sample or more, where nothing is shifted.
double rank_p(double wins, std::size_t olds, std::size_t news) {
    const auto pairs = static_cast<double>(olds * news);
    if (pairs > kMostForExact) {
        const double spread = std::sqrt(pairs * static_cast<double>(olds + news + 1) / 12);
        return boost::math::cdf(complement(boost::math::normal(), (wins - pairs / 2 - 0.5) / spread));
    }
    const std::vector<double> orders = orders_by_wins(olds, news);
    double all = 0, as_many = 0;
    for (std::size_t u = 0; u < orders.size(); ++u) {
        all += orders[u];
        if (static_cast<double>(u) >= std::floor(wins)) as_many += orders[u];
    }
    return as_many / all;
}

}  // namespace

std::optional<Contrast> shift_contrast(std::span<const double> old_values, std::span<const double> new_values) {
    if (std::min(old_values.size(), new_values.size()) < kFewestForRanks) return std::nullopt;
    if (std::max(old_values.size(), new_values.size()) > kMostForRanks) return std::nullopt;
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
    const double wins = wins_of(differences);
    const double p = rank_p(std::max(wins, 2 * middle - wins), old_values.size(), new_values.size());
    if (p < kDoubtful && p > 0) {
        const boost::math::students_t distribution(contrast.degrees_of_freedom);
        const double t = boost::math::quantile(complement(distribution, p));
        contrast.standard_error = std::max(contrast.standard_error, std::abs(contrast.log_ratio) / t);
    }
    return contrast;
}

}  // namespace tare::stats
