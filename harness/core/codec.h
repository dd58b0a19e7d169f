// Value to MessagePack bytes and back. The only user of the MessagePack library.
#pragma once

#include <string>
#include <string_view>

#include "harness/core/error.h"
#include "harness/core/value.h"

namespace tare::core {

[[nodiscard]] std::string encode(const Value& value);

/// Errors: kData for bytes that are no MessagePack, are followed by more, nest deeper than 100, or hold a map key that
/// is no text. Extension types read as nil; unsigned integers above 2^63-1 as double.
[[nodiscard]] Expected<Value> decode(std::string_view bytes);

}  // namespace tare::core
