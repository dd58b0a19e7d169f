// Student's t undone.
#include "harness/history/point_error.h"

#include <cmath>

#include "harness/stats/estimators.h"

namespace tare::history {

namespace {

std::optional<double> log_width(const core::SeriesPoint& point) {
    if (point.processes < 2) return std::nullopt;  // what one process says is nothing about the next one
    if (!point.low || !point.high || *point.low <= 0 || *point.high < *point.low) return std::nullopt;
    return std::log(*point.high) - std::log(*point.low);
}

/// Of k values spread evenly over an interval, the extremes lie (k - 1) / (k + 1) of its width apart, and their
/// standard deviation is the width / sqrt(12): within 8 % of the factors for normal values, up to k = 10. That of one
/// layout is taken, not of the median: where few counts are possible, the median moves as far as they do.
std::optional<double> error_of_range(const core::SeriesPoint& point) {
    const std::optional<double> width = log_width(point);
    if (!width) return std::nullopt;
    const double layouts = point.processes;
    return *width * (layouts + 1) / (layouts - 1) / std::sqrt(12.0);
}

}  // namespace

bool has_ranges(const core::SeriesKey& key) {
    return key.metric == "instructions";
}

std::optional<double> PointErrors::of(const core::SeriesPoint& point) {
    if (ranges_) return error_of_range(point);
    const std::optional<double> width = log_width(point);
    if (!width) return std::nullopt;
    // Half of a t interval is 12.7 standard errors over 2 processes, 2.8 over 5, 1.96 over very many.
    double& quantile = t_quantiles_[point.processes];
    if (quantile == 0) quantile = stats::t_quantile(point.processes - 1);
    return *width / 2 / quantile;
}

std::optional<double> PointErrors::of(const core::SeriesPoint& point, const std::vector<core::SeriesPoint>& records) {
    if (ranges_ || records.size() < 2) return of(point);
    std::vector<double> logs;
    for (const core::SeriesPoint& record : records) {
        if (!(record.value > 0)) return std::nullopt;
        logs.push_back(std::log(record.value));
    }
    return *stats::standard_deviation(logs) / std::sqrt(static_cast<double>(logs.size()));
}

}  // namespace tare::history
