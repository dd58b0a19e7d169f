// Interpolation on a scale on which the quantiles lie nearly on lines: the logarithm of the two-sided Student tail that
// a single split at a known place would have. Beyond the table, p falls in proportion to a power of that tail.
#include "harness/stats/scan_null.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cassert>
#include <cmath>

namespace tare::stats {

namespace {

constexpr double kLeastLog = -690;  ///< exp: 1e-300

double log_tail(double statistic, std::size_t points) {
    const boost::math::students_t_distribution<double> student(static_cast<double>(points) - 2);
    const double tail = 2 * boost::math::cdf(boost::math::complement(student, std::min(statistic, 1e12)));
    return tail > 0 ? std::max(std::log(tail), kLeastLog) : kLeastLog;
}

/// The place of `value` among ascending `knots`: the lower one's index and the weight of the upper one.
template <class Knots, class Get>
std::pair<std::size_t, double> place(const Knots& knots, double value, Get get) {
    std::size_t low = 0;
    while (low + 2 < knots.size() && value >= get(knots[low + 1])) ++low;
    const double from = get(knots[low]), to = get(knots[low + 1]);
    return {low, std::clamp((value - from) / (to - from), 0.0, 1.0)};
}

using Quantiles = std::array<double, kScanTails.size()>;

/// Of kScanTails. Statistics themselves are interpolated, in rho and in ln n: neighbouring rows differ by a few per
/// cent.
Quantiles quantiles_at(LevelShape shape, std::size_t points, double correlation) {
    const std::span<const ScanQuantiles> rows = scan_quantiles(shape);
    const auto ln_points = [](const ScanQuantiles& row) { return std::log(static_cast<double>(row.points)); };
    const auto [row, upper_row] = place(rows, std::log(static_cast<double>(points)), ln_points);
    const auto [column, upper_column] = place(kScanCorrelations, correlation, [](double rho) { return rho; });
    const auto between = [](double low, double high, double weight) { return low + weight * (high - low); };
    Quantiles quantiles{};
    for (std::size_t k = 0; k < quantiles.size(); ++k) {
        const auto in_row = [&, low = column, weight = upper_column](std::size_t r) {
            const auto& by_correlation = rows[r].by_correlation;
            return between(by_correlation[low][k], by_correlation[low + 1][k], weight);
        };
        quantiles[k] = between(in_row(row), in_row(row + 1), upper_row);
    }
    return quantiles;
}

}  // namespace

double scan_p_value(LevelShape shape, std::size_t points, const LevelScan& scan) {
    assert(points >= fewest_points_for(shape));
    const Quantiles quantiles = quantiles_at(shape, points, scan.correlation);
    const double tail = log_tail(scan.statistic, points);
    double from = 0, from_p = 0, to = 0, to_p = 0;  // the two knots around, from the trivial one: tail 1, p 1
    for (std::size_t k = 0; k < kScanTails.size(); ++k) {
        from = to;
        from_p = to_p;
        to = log_tail(quantiles[k], points);
        to_p = std::log(kScanTails[k]);
        if (tail > to) return std::exp(from_p + (to_p - from_p) * (from - tail) / (from - to));
    }
    // The last two decades give the power: the last quantiles alone would be too noisy. 1 at most: Student's tail.
    constexpr std::size_t kBefore = kScanTails.size() - 5;
    const double before = log_tail(quantiles[kBefore], points);
    const double power = std::clamp((to_p - std::log(kScanTails[kBefore])) / (to - before), 0.0, 1.0);
    return std::exp(std::max(to_p + power * (tail - to), kLeastLog));
}

}  // namespace tare::stats
