// Cleaning by characters; what parse_case_name would misread is replaced.
#include "harness/history/foreign_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "harness/stats/case_name.h"

namespace tare::history {

namespace {

constexpr std::size_t kMostValueBytes = 80;  // of a value: reprs of arrays have no end

bool is_control(char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

/// Cuts between characters of UTF-8.
void shorten(std::string& text) {
    if (text.size() <= kMostValueBytes) return;
    std::size_t end = kMostValueBytes - 3;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    text.resize(end);
    text += "...";
}

/// The text between the quotes, if all of it is one string literal.
std::string_view without_quotes(std::string_view repr) {
    if (repr.size() < 2 || (repr.front() != '\'' && repr.front() != '"') || repr.back() != repr.front()) return repr;
    const std::string_view inner = repr.substr(1, repr.size() - 2);
    return inner.find(repr.front()) == std::string_view::npos ? inner : repr;
}

/// Whether the parser of names would see one value.
bool is_one_value(std::string_view text) {
    int depth = 0;
    for (const char c : text) {
        if (c == '(' || c == '[' || c == '{') ++depth;
        if (c == ')' || c == ']' || c == '}') --depth;
        if (depth < 0 || (c == ',' && depth == 0)) return false;
    }
    return depth == 0;
}

}  // namespace

std::string one_line_name(std::string_view text) {
    std::string line(text);
    std::replace_if(line.begin(), line.end(), is_control, ' ');
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin == std::string::npos) return {};
    return line.substr(begin, line.find_last_not_of(' ') - begin + 1);
}

std::string operation_name(std::string_view text) {
    std::string name = one_line_name(text);
    std::replace(name.begin(), name.end(), '[', '(');
    std::replace(name.begin(), name.end(), ']', ')');
    return name;
}

std::string parameter_key(std::string_view name, std::size_t index) {
    std::string key = one_line_name(name);
    if (key.empty()) return fmt::format("param{}", index + 1);
    for (char& c : key)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    if (std::isdigit(static_cast<unsigned char>(key.front()))) key.insert(key.begin(), '_');
    shorten(key);
    std::replace(key.begin(), key.end(), '.', '_');
    return key;
}

std::string parameter_value(std::string_view repr) {
    constexpr std::string_view kClass = "<class '";
    std::string value = one_line_name(repr);
    if (value.starts_with(kClass) && value.ends_with("'>"))
        value = value.substr(kClass.size(), value.size() - kClass.size() - 2);
    else
        value = std::string(without_quotes(value));
    value = one_line_name(value);
    shorten(value);
    if (!is_one_value(value))
        for (char& c : value) {
            if (c == ',') c = ';';
            if (std::string_view("([{}])").find(c) != std::string_view::npos) c = '_';
        }
    if (value.starts_with('=')) value.insert(value.begin(), '_');
    return value;
}

std::string joined_name(const std::string& operation, core::Parameters parameters) {
    std::map<std::string, int> keys;
    for (auto& parameter : parameters)
        if (const int count = ++keys[parameter.first]; count > 1) parameter.first += fmt::format("_{}", count);
    return operation + stats::parameters_text(parameters);
}

std::string DistinctNames::distinct(const std::string& name) {
    const int count = ++seen_[name];
    if (count == 1) return name;
    const bool has_parameters = !stats::parse_case_name(name).parameters.empty();
    const std::string variant = fmt::format("variant={}", count);
    std::string other =
        has_parameters ? name.substr(0, name.size() - 1) + ',' + variant + ']' : name + '[' + variant + ']';
    return distinct(other);  // another may be called so already
}

}  // namespace tare::history
