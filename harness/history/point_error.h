// Point error: what the logarithm of a series' value is uncertain by, read off its bounds or off the records that it
// was made of. It bounds the residual spread of the change-point scan from below. Pure.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "harness/core/series.h"

namespace tare::history {

/// The bounds of its points are extremes over layouts, not a 95 % interval.
[[nodiscard]] bool has_ranges(const core::SeriesKey& key);

/// Of the points of one series.
class PointErrors {
  public:
    explicit PointErrors(const core::SeriesKey& key) : ranges_(has_ranges(key)) {}

    /// Of a point of one record, from its bounds; nothing where it has none or they are within one process.
    [[nodiscard]] std::optional<double> of(const core::SeriesPoint& point);
    /// Of the `point` that `records` make together: from their spread, which also holds what changes from run to run;
    /// of counts from the common range.
    [[nodiscard]] std::optional<double> of(const core::SeriesPoint& point,
                                           const std::vector<core::SeriesPoint>& records);

  private:
    bool ranges_;
    std::map<int, double> t_quantiles_;  // by processes: a store has hundreds of thousands of points
};

}  // namespace tare::history
