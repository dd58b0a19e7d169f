// One pass over the text finds bare words and depth; the parser does the rest.
#include "harness/history/foreign_json.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "harness/history/foreign_names.h"

namespace tare::history {

namespace {

constexpr std::int64_t kLargestWhole = 1'000'000'000'000'000;  // exact as a double
constexpr int kMostNesting = 100;                              // what the tools write nests less than 10 deep
constexpr std::array<std::string_view, 3> kBareWords = {"-Infinity", "Infinity", kNan};

/// Past the string that begins at `begin`.
std::size_t end_of_string(std::string_view text, std::size_t begin) {
    for (std::size_t i = begin + 1; i < text.size(); ++i) {
        if (text[i] == '\\')
            ++i;
        else if (text[i] == '"')
            return i + 1;
    }
    return text.size();
}

bool nests_too_deep(std::string_view text) {
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"') i = end_of_string(text, i) - 1;
        if ((c == '[' || c == '{') && ++depth > kMostNesting) return true;
        if (c == ']' || c == '}') --depth;
    }
    return false;
}

std::string_view bare_word_at(std::string_view text) {
    for (const std::string_view word : kBareWords)
        if (text.starts_with(word)) return word;
    return {};
}

}  // namespace

std::string with_quoted_numbers(std::string_view text) {
    std::string quoted;
    quoted.reserve(text.size() + 64);
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        if (c == '"') {
            const std::size_t end = end_of_string(text, i);
            quoted += text.substr(i, end - i);
            i = end;
            continue;
        }
        const bool may_begin = c == 'N' || c == 'I' || c == '-';
        const std::string_view word = may_begin ? bare_word_at(text.substr(i)) : std::string_view();
        if (word.empty()) {
            quoted += c;
            ++i;
            continue;
        }
        quoted += '"';
        quoted += word;
        quoted += '"';
        i += word.size();
    }
    return quoted;
}

core::Expected<ForeignJson> parse_foreign(std::string_view text, std::string_view name) {
    if (nests_too_deep(text))
        return tl::unexpected(damaged_file(name, fmt::format("it nests deeper than {}", kMostNesting)));
    try {
        return ForeignJson::parse(with_quoted_numbers(text));
    } catch (const nlohmann::json::parse_error& e) {
        return tl::unexpected(damaged_file(
            name, fmt::format("no valid JSON near byte {} of {}", std::min(e.byte, text.size()), text.size())));
    } catch (const nlohmann::json::exception& e) {
        return tl::unexpected(damaged_file(name, e.what()));
    }
}

const ForeignJson& member_of(const ForeignJson& object, const char* key) {
    static const ForeignJson kNull;
    if (!object.is_object()) return kNull;
    const auto found = object.find(key);
    return found == object.end() ? kNull : *found;
}

const ForeignJson& element_of(const ForeignJson& array, std::size_t index) {
    static const ForeignJson kNull;
    return array.is_array() && index < array.size() ? array[index] : kNull;
}

std::string text_of(const ForeignJson& json) {
    return json.is_string() ? one_line_name(json.get_ref<const std::string&>()) : std::string();
}

bool is_true(const ForeignJson& json) {
    return json.is_boolean() && json.get<bool>();
}

std::optional<double> number_of(const ForeignJson& json) {
    if (!json.is_number()) return std::nullopt;
    const double value = json.get<double>();
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<std::int64_t> whole_number_of(const ForeignJson& json, std::int64_t low) {
    const std::optional<double> value = number_of(json);
    if (!value || *value != std::floor(*value) || *value < static_cast<double>(low) ||
        *value > static_cast<double>(kLargestWhole))
        return std::nullopt;
    return static_cast<std::int64_t>(*value);
}

core::Error damaged_file(std::string_view name, std::string_view how) {
    return {core::ErrorCode::kData, fmt::format("'{}' is damaged: {}", name, how),
            "restore the file from a copy, or let the tool that wrote it write it again"};
}

}  // namespace tare::history
