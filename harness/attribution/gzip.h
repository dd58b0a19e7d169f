// Compression of a whole text. Pure.
#pragma once

#include <string>
#include <string_view>

namespace tare::attribution {

/// A gzip file (RFC 1952) without name and time: the same bytes for the same text.
[[nodiscard]] std::string gzipped(std::string_view text);

}  // namespace tare::attribution
