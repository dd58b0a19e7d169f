// Splits a case's name at the commas that stand outside of brackets.
#include "harness/stats/case_name.h"

#include <cctype>
#include <vector>

namespace tare::stats {

namespace {

/// Parts between commas outside of brackets; nothing if the brackets do not match.
std::optional<std::vector<std::string_view>> split_at_commas(std::string_view text) {
    std::vector<std::string_view> parts;
    std::size_t start = 0;
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '(' || c == '[' || c == '{') ++depth;
        if (c == ')' || c == ']' || c == '}') --depth;
        if (depth < 0) return std::nullopt;
        if (c == ',' && depth == 0) {
            parts.push_back(text.substr(start, i - start));
            start = i + 1;
        }
    }
    if (depth != 0) return std::nullopt;
    parts.push_back(text.substr(start));
    return parts;
}

bool is_identifier(std::string_view text) {
    if (text.empty() || std::isdigit(static_cast<unsigned char>(text.front()))) return false;
    for (const char c : text)
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') return false;
    return true;
}

}  // namespace

std::optional<std::string> CaseName::parameter(std::string_view key) const {
    for (const auto& [name, value] : parameters)
        if (name == key) return value;
    return std::nullopt;
}

CaseName parse_case_name(std::string_view name) {
    CaseName whole{std::string(name), {}};
    const std::size_t open = name.find('[');
    if (open == std::string_view::npos || open == 0 || name.back() != ']') return whole;
    const auto parts = split_at_commas(name.substr(open + 1, name.size() - open - 2));
    if (!parts) return whole;
    CaseName result{std::string(name.substr(0, open)), {}};
    for (const std::string_view part : *parts) {
        const std::size_t equals = part.find('=');
        if (equals == std::string_view::npos || !is_identifier(part.substr(0, equals))) return whole;
        if (equals + 1 < part.size() && part[equals + 1] == '=') return whole;  // a comparison: x[i==1]
        result.parameters.emplace_back(part.substr(0, equals), part.substr(equals + 1));
    }
    return result;
}

std::string parameters_text(const core::Parameters& parameters) {
    if (parameters.empty()) return {};
    return core::Case{"", parameters, "", {}}.name();
}

}  // namespace tare::stats
