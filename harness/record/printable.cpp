// By bytes: in UTF-8 no byte of a longer character is below 0x80.
#include "harness/record/printable.h"

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

}  // namespace

std::string printable(std::string_view text) {
    std::string printed;
    printed.reserve(text.size());
    while (!text.empty()) {
        const std::size_t bytes = control_bytes(text);
        if (bytes == 0)
            printed += text.front();
        else
            printed += kReplacement;
        text.remove_prefix(bytes == 0 ? 1 : bytes);
    }
    return printed;
}

}  // namespace tare::record
