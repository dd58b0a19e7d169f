// Text inside CSV fields and Markdown tables. Pure.
#pragma once

#include <optional>
#include <string>

namespace tare::record {

/// RFC 4180: quoted where it holds a comma, a quote or a line's end.
[[nodiscard]] std::string csv_text(const std::string& text);

/// Seven significant digits; empty where there is no finite value.
[[nodiscard]] std::string csv_number(std::optional<double> value);

/// `|` would end a cell, and a line's end the table.
[[nodiscard]] std::string markdown_cell(const std::string& text);

}  // namespace tare::record
