// Trends as CSV, Markdown and JSON. Pure. harness/README.md describes the JSON.
#pragma once

#include <string>

#include "harness/history/trend_report.h"

namespace tare::history {

/// A line a point; where a new level begins, with the change.
[[nodiscard]] std::string print_trend_csv(const TrendReport& report);
/// The table, a heading for each surroundings.
[[nodiscard]] std::string print_trend_markdown(const TrendReport& report);
/// All points and changes.
[[nodiscard]] std::string print_trend_json(const TrendReport& report);

}  // namespace tare::history
