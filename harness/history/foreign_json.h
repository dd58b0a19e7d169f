// JSON as other tools write it: with bare NaN and infinities, which are none; of any size and damage. Reading never
// throws. Keys are kept sorted, so that a file of 100,000 keys is read in a moment, too. Not for headers of others.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "harness/core/error.h"

namespace tare::history {

using ForeignJson = nlohmann::json;

/// What a bare NaN is read as.
inline constexpr std::string_view kNan = "NaN";

/// The text with bare NaN, Infinity and -Infinity between quotes.
[[nodiscard]] std::string with_quoted_numbers(std::string_view text);

/// Errors: kData for what is no JSON (with the byte) or nests too deep; `name` stands for the file.
[[nodiscard]] core::Expected<ForeignJson> parse_foreign(std::string_view text, std::string_view name);

/// The member of an object; null if there is none.
[[nodiscard]] const ForeignJson& member_of(const ForeignJson& object, const char* key);
/// The element of an array; null if there is none.
[[nodiscard]] const ForeignJson& element_of(const ForeignJson& array, std::size_t index);
/// Text on one line without surrounding blanks; empty if it is none.
[[nodiscard]] std::string text_of(const ForeignJson& json);
/// The word true.
[[nodiscard]] bool is_true(const ForeignJson& json);
/// A finite number.
[[nodiscard]] std::optional<double> number_of(const ForeignJson& json);
/// A whole number from `low` to 10^15.
[[nodiscard]] std::optional<std::int64_t> whole_number_of(const ForeignJson& json, std::int64_t low);

/// kData: `'NAME' is damaged: HOW`.
[[nodiscard]] core::Error damaged_file(std::string_view name, std::string_view how);

}  // namespace tare::history
