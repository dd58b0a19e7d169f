// Character by character.
#include "harness/record/printable.h"

#include <algorithm>

namespace tare::record {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// Bytes of the control character that the text begins with; 0: it begins with another.
std::size_t control_bytes(std::string_view text) {
    const auto byte = [&](std::size_t at) { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U; };
    if (byte(0) == '\n' || byte(0) == '\t') return 0;
    if (byte(0) < 0x20 || byte(0) == 0x7F) return 1;
    if (byte(0) == 0xC2 && byte(1) >= 0x80 && byte(1) < 0xA0) return 2;
    if (byte(0) != 0xE2) return 0;
    const bool turns = (byte(1) == 0x80 && byte(2) >= 0xAA && byte(2) <= 0xAE) ||  // U+202A to U+202E
                       (byte(1) == 0x81 && byte(2) >= 0xA6 && byte(2) <= 0xA9);    // U+2066 to U+2069
    return turns ? 3 : 0;
}

/// Bytes of the UTF-8 character that the text begins with (RFC 3629, section 4); 0: it begins with none.
std::size_t character_bytes(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text.front());
    if (lead < 0x80) return 1;
    const std::size_t bytes = lead >= 0xC2 && lead <= 0xDF   ? 2
                              : (lead & 0xF0U) == 0xE0       ? 3
                              : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                             : 0;
    if (bytes == 0 || text.size() < bytes) return 0;
    const auto continues = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80; };
    if (!std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(bytes), continues)) return 0;
    const auto second = static_cast<unsigned char>(text[1]);
    const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
    const bool beyond = (lead == 0xED && second >= 0xA0) || (lead == 0xF4 && second >= 0x90);
    return overlong || beyond ? 0 : bytes;
}

}  // namespace

std::string printable(std::string_view text) {
    std::string printed;
    printed.reserve(text.size());
    while (!text.empty()) {
        const std::size_t control = control_bytes(text), whole = character_bytes(text);
        if (control > 0 || whole == 0)
            printed += kReplacement;
        else
            printed += text.substr(0, whole);
        text.remove_prefix(std::max({control, whole, std::size_t{1}}));
    }
    return printed;
}

}  // namespace tare::record
