// Trends: series over dates, versions or commits, with the points where their level changed. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/core/series.h"
#include "harness/stats/change_points.h"

namespace tare::history {

enum class Axis { kDate, kVersion, kCommit };

/// What a duet of the two sides said of a change point.
/// kSmaller: real and in that direction, but proven to be below the bound that a duet looks for.
enum class Standing { kProposed, kConfirmed, kSmaller, kRefuted, kNotTried };

struct TrendChange {
    stats::ChangePoint point;  ///< its levels are those of the logarithms
    double change_ratio = 1;   ///< new level / old level
    Standing standing = Standing::kProposed;
    std::string confirmation;  ///< what the duet said, or why none was made: "+4.9 % [4.6, 5.2], 6 pairs"
};

/// Was a series looked at? One that was not says nothing, also not that nothing changed.
enum class Search { kDone, kTooFewPoints, kNotPositive };

struct Trend {
    core::Series series;                    ///< on the axis: one point a version or commit where that is the axis
    std::vector<TrendChange> changes = {};  ///< ascending
    Search search = Search::kDone;
    std::size_t points_needed = 0;  ///< to be searched: fewer where every point has an interval over processes
};

/// Has it a change point that no duet refuted?
[[nodiscard]] bool is_changed(const Trend& trend);

/// Points in the order of the axis: dates; versions (PEP 440), several records of one version as their median; commits
/// by the date of the first record of each, whatever their order in the repository. Points that lack the axis's value
/// are left out. A point of several records has their outermost bounds, and none where one of them is of one process.
[[nodiscard]] core::Series on_axis(core::Series series, Axis axis);

/// `series` with their change points, looked for in all together. `axis` as in on_axis. What a point is uncertain by:
/// of one record its t interval over processes, of several the spread of the records, of instructions the range over
/// layouts.
[[nodiscard]] std::vector<Trend> find_trends(std::vector<core::Series> series, Axis axis,
                                             const stats::ScanRules& rules = {});

}  // namespace tare::history
