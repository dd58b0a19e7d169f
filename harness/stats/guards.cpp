// The sign-flip test beyond the tolerance, and the test between halves.
#include "harness/stats/guards.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "harness/stats/contrast.h"
#include "harness/stats/sign_flip.h"

namespace tare::stats {

namespace {

std::pair<std::span<const double>, std::span<const double>> halves_of(std::span<const double> values) {
    return {values.first(values.size() / 2), values.subspan(values.size() / 2)};
}

}  // namespace

bool Guards::hold() const {
    const bool is_steady = drift_p > kDriftAlpha || drift_ratio < kDriftRatio;
    return sign_flip_p <= kSignFlipAlpha && is_steady && !fingerprint_changed;
}

double drift_p(std::span<const double> values) {
    assert(values.size() >= 4);
    const auto [first, second] = halves_of(values);
    const double spread_first = *standard_deviation(first), spread_second = *standard_deviation(second);
    const auto count_first = static_cast<double>(first.size()), count_second = static_cast<double>(second.size());
    const double degrees = count_first + count_second - 2;
    const double variance =
        ((count_first - 1) * spread_first * spread_first + (count_second - 1) * spread_second * spread_second) /
        degrees;
    const Contrast distance{std::abs(mean(first) - mean(second)),
                            std::sqrt(variance * (1 / count_first + 1 / count_second)), degrees};
    return std::min(1.0, 2 * p_above(distance, 0));
}

double drift_ratio(std::span<const double> beyond) {
    const auto [first, second] = halves_of(beyond);
    const double mean_first = mean(first), mean_second = mean(second);
    const double nearer = std::min(mean_first, mean_second);
    return nearer > 0 ? std::abs(mean_first - mean_second) / nearer : std::numeric_limits<double>::infinity();
}

Guards guards_of(std::span<const double> values, Direction direction, double log_tolerance, bool fingerprint_changed,
                 std::uint64_t seed) {
    std::vector<double> beyond(values.begin(), values.end());
    for (double& v : beyond) v = (direction == Direction::kSlower ? v : -v) - log_tolerance;
    return {sign_flip_p(beyond, seed), drift_p(values), drift_ratio(beyond), fingerprint_changed};
}

}  // namespace tare::stats
