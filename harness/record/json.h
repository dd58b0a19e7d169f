// nlohmann/json as this folder uses it: objects keep the order of their members, so that a record reads top down. They
// are vectors whose growth moves and copies members: keep no reference across an insertion, and nest no deeper than
// kMostNesting, because copies recurse. Not for headers that others include. Also the rules for numbers: 5 or 7
// significant digits, and never NaN or infinity.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "harness/core/error.h"
#include "harness/core/value.h"

extern template class nlohmann::basic_json<nlohmann::ordered_map>;  // json.cpp compiles its members, once

namespace tare::record {

using Json = nlohmann::ordered_json;

// Significant digits of what is written.
inline constexpr int kSampleDigits = 5;  ///< off by 5 parts in 10^5 at most: far below what one batch varies by
inline constexpr int kMedianDigits = 6;
inline constexpr int kEstimateDigits = 7;

inline constexpr int kMostNesting = 100;  ///< contexts nest less than 10 deep
/// For parser callbacks: an array or object begins that is nested too deep to be kept.
[[nodiscard]] inline bool nests_too_deep(int depth, Json::parse_event_t event) {
    const bool begins = event == Json::parse_event_t::object_start || event == Json::parse_event_t::array_start;
    return begins && depth >= kMostNesting;
}

/// `value` at so many significant decimal digits, as the double whose shortest text has no more; null if not finite.
[[nodiscard]] Json rounded(double value, int digits);
/// The value itself; null if not finite.
[[nodiscard]] Json number(double value);

/// Null for an empty text.
[[nodiscard]] Json text_or_null(const std::string& text);

[[nodiscard]] Json to_json(const core::Value& value);
/// Integers above 2^63-1 read as double.
[[nodiscard]] core::Value to_value(const Json& json);

struct Member {
    const char* key;
    mutable Json value;  ///< elements of an initializer_list are const, and these are moved from
};
/// The object of these members. nlohmann's own braces compile a constructor for each length that a key has, and code
/// that tells objects from lists: four times as long.
[[nodiscard]] Json object_of(std::initializer_list<Member> members);

/// The list of what `print` makes of each item.
template <class Items, class Print>
[[nodiscard]] Json list_of(const Items& items, const Print& print) {
    Json list = Json::array();
    for (const auto& item : items) list.push_back(print(item));
    return list;
}

/// On one line, without blanks; bytes that are no UTF-8 become U+FFFD.
[[nodiscard]] std::string compact(const Json& json);

// Reading never throws: a member that is missing or of another type reads as the default.
[[nodiscard]] const Json& member(const Json& object, const char* key);    ///< null if there is none
[[nodiscard]] const Json& items_of(const Json& object, const char* key);  ///< the empty list where it is no list
[[nodiscard]] double number_or(const Json& json, double otherwise);
[[nodiscard]] double nan_if_null(const Json& json);  ///< null stands for a value that is not finite
[[nodiscard]] std::int64_t integer_or(const Json& json, std::int64_t otherwise);
[[nodiscard]] std::uint64_t unsigned_or(const Json& json, std::uint64_t otherwise);
[[nodiscard]] std::string text_or(const Json& json, std::string otherwise);
[[nodiscard]] bool bool_or(const Json& json, bool otherwise);

}  // namespace tare::record
