// Escaping.
#include "harness/record/markup.h"

#include <fmt/format.h>

#include <cmath>

#include "harness/record/shared_lines.h"

namespace tare::record {

std::string csv_text(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

std::string csv_number(std::optional<double> value) {
    return value && std::isfinite(*value) ? fmt::format("{:.7g}", *value) : "";
}

std::string markdown_cell(const std::string& text) {
    std::string escaped;
    for (const char c : one_line(text)) {
        if (c == '|') escaped += '\\';
        escaped += c;
    }
    return escaped;
}

}  // namespace tare::record
