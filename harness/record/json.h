// nlohmann/json as this folder uses it: objects keep the order of their members, so that a record reads top down. Not
// for headers that others include. Also the rules for numbers: 5 or 7 significant digits, and never NaN or infinity.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "harness/core/error.h"
#include "harness/core/value.h"

namespace tare::record {

using Json = nlohmann::ordered_json;

/// `value` at so many significant decimal digits, as the double whose shortest text has no more; null if not finite.
[[nodiscard]] Json rounded(double value, int digits);
/// The value itself; null if not finite.
[[nodiscard]] Json number(double value);

[[nodiscard]] Json to_json(const core::Value& value);
/// Integers above 2^63-1 read as double.
[[nodiscard]] core::Value to_value(const Json& json);

/// On one line, without blanks; bytes that are no UTF-8 become U+FFFD.
[[nodiscard]] std::string compact(const Json& json);

// Reading never throws: a member that is missing or of another type reads as the default.
[[nodiscard]] const Json& member(const Json& object, const char* key);  ///< null if there is none
[[nodiscard]] double number_or(const Json& json, double otherwise);
[[nodiscard]] std::int64_t integer_or(const Json& json, std::int64_t otherwise);
[[nodiscard]] std::uint64_t unsigned_or(const Json& json, std::uint64_t otherwise);
[[nodiscard]] std::string text_or(const Json& json, std::string otherwise);
[[nodiscard]] bool bool_or(const Json& json, bool otherwise);

}  // namespace tare::record
