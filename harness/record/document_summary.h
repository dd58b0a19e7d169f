// What a record says as a whole, without its rows: the context and the top-level `tare` object. For readers of many
// records: of 8 MB, 7 are rows.
#pragma once

#include <functional>
#include <string_view>

#include "harness/record/record_document.h"

namespace tare::record {

/// Members for whose key `wanted` returns false are passed over, at any depth. Where the document is laid out as
/// print_document does, its rows are not looked at, so damage in them goes unnoticed; any other is parsed as a whole.
/// Errors: as parse_document.
[[nodiscard]] core::Expected<Document> parse_summary(std::string_view text, std::string_view name,
                                                     const std::function<bool(std::string_view key)>& wanted);

}  // namespace tare::record
