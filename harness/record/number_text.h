// Numbers as a person reads them: three significant digits, a unit per value. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "harness/stats/estimate.h"

namespace tare::record {

/// How text may look.
struct TextStyle {
    bool color = false;   ///< ANSI escapes; the caller honours NO_COLOR and whether stdout is a terminal
    bool unicode = true;  ///< else ASCII: us, +-, x
};

/// "0.512", "4.10", "31.2", "312", "4096".
[[nodiscard]] std::string three_digits(double value);
/// "312 ns", "1.66 us": the unit always takes 2 columns, so that right-aligned values stand unit under unit.
[[nodiscard]] std::string duration_text(double ns, const TextStyle& style);
/// "98.7 %"
[[nodiscard]] std::string percent_text(double ratio);
/// Half the interval's width relative to the value, "±0.8 %"; empty if there is no interval.
[[nodiscard]] std::string interval_text(const stats::Estimate& estimate, const TextStyle& style);

/// "3,770"
[[nodiscard]] std::string count_text(std::uint64_t count);
/// "+332", "-1,204", "0"
[[nodiscard]] std::string signed_count_text(std::int64_t change);

/// Columns that UTF-8 text takes on a terminal, for the one-column characters used here.
[[nodiscard]] std::size_t text_columns(std::string_view text);
/// Text in at most `columns` columns, shortened in the middle, where case names differ least.
[[nodiscard]] std::string shortened(const std::string& text, std::size_t columns, const TextStyle& style);

}  // namespace tare::record
