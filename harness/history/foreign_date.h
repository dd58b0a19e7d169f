// Dates as other tools write them, and as records do. Unix time, seconds. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tare::history {

/// `2024-05-01 10:00:00`, with T, a fraction, Z or an offset (+02:00) if there are any; without an offset UTC is taken.
/// Nothing for other text and for years beyond 1970 to 9999.
[[nodiscard]] std::optional<double> parse_date(std::string_view text);

/// Whether records can bear it: 1970 to 9999.
[[nodiscard]] bool is_date(double unix_s);

/// `2024-05-01T10:00:00+00:00`; of a date that is_date.
[[nodiscard]] std::string date_text(double unix_s);

}  // namespace tare::history
