// Rates of the change-point detector on series with a known truth: for its test and for the table that documents quote.
// Spread 1 % in logarithms, levels in multiples of it; each series on its own, as if it were the whole store.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "harness/stats/change_points.h"
#include "harness/stats/simulate_series.h"

namespace tare::stats {

struct NoiseKind {
    std::string_view name;
    double correlation = 0;
    bool heavy_tails = false;
};
inline constexpr NoiseKind kNoiseKinds[] = {
    {"independent"}, {"AR(1), 0.5", 0.5}, {"AR(1), 0.8", 0.8}, {"t, 3 degrees", 0, true}};

struct SeriesTruth {
    NoiseKind noise;
    std::size_t points = 100;
    std::size_t raised_from = 0;  ///< the level is higher by `step` in [raised_from, raised_to)
    std::size_t raised_to = 0;
    double step = 0;           ///< in spreads
    bool independent = false;  ///< and known to be so
};

/// Shares of the series.
struct DetectionRates {
    double alarmed = 0;    ///< with any change point
    double near_2 = 0;     ///< with one at most 2 points from the beginning of the step
    double near_10 = 0;    ///< the same, 10 points
    double both_ends = 0;  ///< with one at most 2 points from each end of the raised piece
    double spurious = 0;   ///< change points more than 10 points from both ends, a series
};

inline DetectionRates detection_rates(const SeriesTruth& truth, int series, unsigned seed) {
    constexpr double kSpread = 0.01;
    std::mt19937_64 random(seed);
    DetectionRates rates;
    for (int k = 0; k < series; ++k) {
        std::vector<double> values(truth.points);
        if (truth.noise.heavy_tails)
            draw_heavy_tails(random, values);
        else
            draw_noise(random, truth.noise.correlation, values);
        for (std::size_t i = truth.raised_from; i < truth.raised_to; ++i) values[i] += truth.step;
        for (double& value : values) value *= kSpread;
        const ScanSeries one{std::move(values), {}, truth.independent};
        const std::vector<ChangePoint> found = find_change_points(std::span(&one, 1)).front();
        const auto is_near = [](const ChangePoint& point, std::size_t place, std::size_t reach) {
            return std::max(point.first, place) - std::min(point.first, place) <= reach;
        };
        const auto has_near = [&](std::size_t place, std::size_t reach) {
            return std::any_of(found.begin(), found.end(), [&](const auto& p) { return is_near(p, place, reach); });
        };
        rates.alarmed += !found.empty();
        if (truth.step == 0) continue;
        rates.near_2 += has_near(truth.raised_from, 2);
        rates.near_10 += has_near(truth.raised_from, 10);
        rates.both_ends += has_near(truth.raised_from, 2) && has_near(truth.raised_to, 2);
        for (const ChangePoint& point : found)
            rates.spurious += !is_near(point, truth.raised_from, 10) && !is_near(point, truth.raised_to, 10);
    }
    for (double* sum : {&rates.alarmed, &rates.near_2, &rates.near_10, &rates.both_ends, &rates.spurious})
        *sum /= series;
    return rates;
}

}  // namespace tare::stats
