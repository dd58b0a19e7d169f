// Least squares with a level for each run; then medians over the suite.
#include "harness/stats/clock_slope.h"

#include <algorithm>
#include <cmath>

#include "harness/core/references.h"
#include "harness/stats/estimators.h"

namespace tare::stats {

namespace {

constexpr double kAllowed = 2.576;       // standard errors: 1 of 100 is farther
constexpr double kSmallestSpread = 0.1;  // of a suite's slopes: none are alike to the last per cent
constexpr double kLargestSpread = 2;

std::vector<ClockedTime> near_the_median(const std::vector<ClockedTime>& run) {
    std::vector<double> clocks;
    for (const ClockedTime& each : run) clocks.push_back(each.log_clock);
    const double middle = median(clocks);
    std::vector<ClockedTime> near = run;
    std::erase_if(near, [&](const ClockedTime& each) {
        return !core::are_near_clocks(std::exp(each.log_clock), std::exp(middle));
    });
    return near;
}

/// Deviations from the run's means: sums of squares and of products.
struct Sums {
    double clock_squares = 0;
    double products = 0;
    double time_squares = 0;
    double degrees_of_freedom = 0;

    void add(const std::vector<ClockedTime>& run) {
        if (run.size() < 2) return;
        double clock = 0, time = 0;
        for (const ClockedTime& each : run) {
            clock += each.log_clock / static_cast<double>(run.size());
            time += each.log_time / static_cast<double>(run.size());
        }
        for (const ClockedTime& each : run) {
            clock_squares += (each.log_clock - clock) * (each.log_clock - clock);
            products += (each.log_clock - clock) * (each.log_time - time);
            time_squares += (each.log_time - time) * (each.log_time - time);
        }
        degrees_of_freedom += static_cast<double>(run.size()) - 1;
    }
};

double weight_of(double standard_error) {
    return 1 / (standard_error * standard_error);
}

ClockSlope combined(const ClockSlope& one, const ClockSlope& other) {
    const double weight = weight_of(one.standard_error), other_weight = weight_of(other.standard_error);
    return {(weight * one.value + other_weight * other.value) / (weight + other_weight),
            1 / std::sqrt(weight + other_weight)};
}

/// Of the suite: the mean, with what is known of it, and how far the cases' true slopes lie apart.
struct Suite {
    ClockSlope mean = kExpectedSlope;
    double spread = 0;

    [[nodiscard]] ClockSlope prior() const { return {mean.value, std::hypot(mean.standard_error, spread)}; }
};

/// Half of the weight lies on either side.
double weighted_median(std::vector<ClockSlope> slopes) {
    std::sort(slopes.begin(), slopes.end(),
              [](const ClockSlope& one, const ClockSlope& other) { return one.value < other.value; });
    double half = 0, passed = 0;
    for (const ClockSlope& slope : slopes) half += 1 / slope.standard_error / 2;
    for (const ClockSlope& slope : slopes) {
        passed += 1 / slope.standard_error;
        if (passed >= half) return slope.value;
    }
    return slopes.back().value;
}

/// The median distance from `middle`, each in its own standard errors with so much spread.
double median_distance(const std::vector<ClockSlope>& slopes, double middle, double spread) {
    std::vector<double> distances;
    for (const ClockSlope& slope : slopes)
        distances.push_back(std::abs(slope.value - middle) / std::hypot(slope.standard_error, spread));
    return median(distances);
}

/// The spread with which half of the slopes lie as near to the middle as half of a normal distribution does: a few of
/// another kind, however well they are known, do not widen it.
double spread_of(const std::vector<ClockSlope>& slopes, double middle) {
    constexpr double kHalfWithin = 0.6745;
    double low = kSmallestSpread, high = kLargestSpread;
    if (median_distance(slopes, middle, low) <= kHalfWithin) return low;
    for (int i = 0; i < 20; ++i) {
        const double between = (low + high) / 2;
        (median_distance(slopes, middle, between) > kHalfWithin ? low : high) = between;
    }
    return high;
}

Suite suite_of(std::span<const std::optional<ClockSlope>> own) {
    std::vector<ClockSlope> known;
    for (const auto& slope : own)
        if (slope) known.push_back(*slope);
    if (known.size() < kFewestSlopes) return {};
    const double middle = weighted_median(known);
    const double spread = spread_of(known, middle);
    double weights = 0;
    for (const ClockSlope& slope : known) weights += weight_of(std::hypot(slope.standard_error, spread));
    constexpr double kOfMedian = 1.2533;  // of a mean's standard error
    return {combined({middle, kOfMedian / std::sqrt(weights)}, kExpectedSlope), spread};
}

}  // namespace

std::optional<ClockSlope> own_clock_slope(std::span<const std::vector<ClockedTime>> runs) {
    Sums sums;
    for (const std::vector<ClockedTime>& run : runs)
        if (!run.empty()) sums.add(near_the_median(run));
    const double degrees_of_freedom = sums.degrees_of_freedom - 1;
    if (degrees_of_freedom < 2 || !(sums.clock_squares > 0)) return std::nullopt;
    const double slope = sums.products / sums.clock_squares;
    const double variance = std::max(0.0, sums.time_squares - slope * sums.products) / degrees_of_freedom;
    const double standard_error = std::sqrt(variance / sums.clock_squares);
    return standard_error > 0 && std::isfinite(standard_error) ? std::optional(ClockSlope{slope, standard_error})
                                                               : std::nullopt;
}

std::vector<ClockSlope> clock_slopes(std::span<const std::optional<ClockSlope>> own) {
    const ClockSlope prior = suite_of(own).prior();
    std::vector<ClockSlope> slopes;
    for (const auto& slope : own) {
        if (!slope) {
            slopes.push_back(prior);
            continue;
        }
        const double distance = std::abs(slope->value - prior.value);
        const bool allowed = distance <= kAllowed * std::hypot(slope->standard_error, prior.standard_error);
        slopes.push_back(combined(*slope, allowed ? prior : kExpectedSlope));
    }
    return slopes;
}

}  // namespace tare::stats
