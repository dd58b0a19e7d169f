// What `bench trend` prints for a person: a line a series, further change points below it. Pure.
#pragma once

#include <cstddef>
#include <string>

#include "harness/history/trend_report.h"

namespace tare::history {

/// `width` in columns, 0: no limit.
[[nodiscard]] std::string print_trend_table(const TrendReport& report, std::size_t width,
                                            const record::TextStyle& style);

}  // namespace tare::history
