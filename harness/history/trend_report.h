// What `bench trend` found, as a value for its printers, and the words they share. Pure.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/history/trend.h"
#include "harness/record/number_text.h"

namespace tare::history {

inline constexpr std::size_t kCommitDigits = 12;  ///< of a commit's name, as shown

/// Of the series that were looked at.
struct TrendCounts {
    std::size_t all = 0;
    std::size_t changed = 0;       ///< with a change point that no duet refuted
    std::size_t refuted_only = 0;  ///< with change points, all of them refuted
    std::size_t too_few_points = 0;
    std::size_t not_positive = 0;
    bool operator==(const TrendCounts&) const = default;
};
[[nodiscard]] TrendCounts counts_of(const std::vector<Trend>& trends);

struct TrendReport {
    std::string store;
    std::string metric;  ///< asked for, or that of the longest series; each series has its own
    Axis axis = Axis::kDate;
    std::vector<Trend> trends;                    ///< none of them without a point
    std::map<std::string, std::string> machines;  ///< what they are, by fingerprint
    std::vector<std::string> notes;
    TrendCounts counts =
        {};  ///< of all, also of those that are not among `trends` because the reader wants changed ones
};

/// "date", "version", "commit"
[[nodiscard]] std::string_view name_of(Axis axis);
/// "proposed", "confirmed", "smaller", "refuted", "not tried"
[[nodiscard]] std::string_view name_of(Standing standing);

/// "312 ns", "0.398", "3,770"
[[nodiscard]] std::string value_text(double value, core::SeriesUnit unit, const record::TextStyle& style);
/// "2026-11-21", or with `minutes` "2026-11-21 02:30"; UTC.
[[nodiscard]] std::string date_text(double date_s, bool minutes);
/// Where a point stands: "2.0.0", "9815c16f449e", "2026-11-21 02:30".
[[nodiscard]] std::string place_text(const core::SeriesPoint& point, Axis axis);
/// "-58.2 % at 2.0.0, proposed, p = 1e-09"
[[nodiscard]] std::string change_line(const Trend& trend, const TrendChange& change, Axis axis);
/// "2 of 5 series changed; gross by date"
[[nodiscard]] std::string changed_text(const TrendReport& report);
/// What was not searched, and why; what is not counted as a change; at which clock times are; and the report's own. A
/// sentence each.
[[nodiscard]] std::vector<std::string> notes_of(const TrendReport& report);
/// Why a series was not searched: "2 points, 10 are needed". Empty: it was.
[[nodiscard]] std::string not_searched_text(const Trend& trend);
/// What to know of the axis of commits.
[[nodiscard]] std::string commit_order_note();
/// The last point by the first; nothing where that says nothing.
[[nodiscard]] std::optional<double> total_ratio(const core::Series& series);
/// "1b9f2e862e5d3942, Intel(R) Xeon(R) Processor, 2 CPUs, host vm: CPython 3.11.2, executable, 1 thread"
[[nodiscard]] std::string surroundings_text(const TrendReport& report, const core::SeriesKey& key);

/// Trends with equal surroundings, groups and members in the order of the report.
[[nodiscard]] std::vector<std::vector<const Trend*>> grouped(const TrendReport& report);

}  // namespace tare::history
