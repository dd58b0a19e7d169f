// Foreign text inside JSON and XML: names come from other people's binaries and need not even be UTF-8. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tare::attribution {

/// In quotes, as RFC 8259 has it. Bytes that are no UTF-8 become U+FFFD.
[[nodiscard]] std::string json_text(std::string_view text);

/// Bytes that are no UTF-8 become U+FFFD, all else stays.
[[nodiscard]] std::string utf8_text(std::string_view text);

/// For character data and quoted attributes of XML 1.0. What XML cannot hold (control characters other than tab and
/// line feed, U+FFFE and U+FFFF, bytes that are no UTF-8) becomes U+FFFD.
[[nodiscard]] std::string xml_text(std::string_view text);

/// The first `most` characters, the last of them "…" where more follow; all where they fit. Never part of a character.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t most);

}  // namespace tare::attribution
