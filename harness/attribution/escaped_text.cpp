// Character by character, because a damaged byte must not take its neighbours along.
#include "harness/attribution/escaped_text.h"

#include <fmt/format.h>

#include <cstdint>

namespace tare::attribution {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::string_view kEllipsis = "\xE2\x80\xA6";     // U+2026

struct Character {
    std::string_view bytes;  ///< as they stand in the text; one byte where it is no UTF-8
    std::uint32_t code = 0;  ///< 0xFFFD where it is no UTF-8
};

bool continues(std::string_view text, std::size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
}

/// The character at the start of a text that is not empty. Overlong forms and surrogates are no UTF-8 (RFC 3629).
Character first_character(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text[0]);
    if (lead < 0x80U) return {text.substr(0, 1), lead};
    const std::size_t length = lead >= 0xF0U && lead < 0xF5U   ? 4
                               : lead >= 0xE0U && lead < 0xF0U ? 3
                               : lead >= 0xC2U && lead < 0xE0U ? 2
                                                               : 0;
    std::uint32_t code = length == 4 ? lead & 0x07U : length == 3 ? lead & 0x0FU : lead & 0x1FU;
    for (std::size_t i = 1; i < length; ++i) {
        if (!continues(text, i)) return {text.substr(0, 1), 0xFFFD};
        code = code << 6U | (static_cast<unsigned char>(text[i]) & 0x3FU);
    }
    const bool is_overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    const bool is_surrogate = code >= 0xD800 && code < 0xE000;
    if (length == 0 || is_overlong || is_surrogate || code > 0x10FFFF) return {text.substr(0, 1), 0xFFFD};
    return {text.substr(0, length), code};
}

/// Every character of a text, in order.
template <class Visit>
void for_each_character(std::string_view text, Visit visit) {
    while (!text.empty()) {
        const Character character = first_character(text);
        visit(character.code == 0xFFFD ? Character{kReplacement, 0xFFFD} : character);
        text.remove_prefix(character.bytes.size());
    }
}

}  // namespace

std::string json_text(std::string_view text) {
    std::string json = "\"";
    for_each_character(text, [&json](const Character& character) {
        if (character.code == '"' || character.code == '\\') {
            json += '\\';
            json += character.bytes;
        } else if (character.code < 0x20 || character.code == 0x7F) {
            json += fmt::format("\\u{:04x}", character.code);
        } else {
            json += character.bytes;
        }
    });
    return json + '"';
}

std::string utf8_text(std::string_view text) {
    std::string utf8;
    for_each_character(text, [&utf8](const Character& character) { utf8 += character.bytes; });
    return utf8;
}

std::string xml_text(std::string_view text) {
    std::string xml;
    for_each_character(text, [&xml](const Character& character) {
        const std::uint32_t code = character.code;
        const bool is_control = (code < 0x20 && code != '\t' && code != '\n') || (code >= 0x7F && code < 0xA0);
        if (code == '&') {
            xml += "&amp;";
        } else if (code == '<') {
            xml += "&lt;";
        } else if (code == '>') {
            xml += "&gt;";
        } else if (code == '"') {
            xml += "&quot;";
        } else if (code == '\'') {
            xml += "&#39;";
        } else if (is_control || code == 0xFFFE || code == 0xFFFF) {
            xml += kReplacement;
        } else {
            xml += character.bytes;
        }
    });
    return xml;
}

std::string shortened(std::string_view text, std::size_t most) {
    std::string result;
    std::size_t count = 0;
    std::size_t before_last = 0;  // where the last character that fits begins
    for_each_character(text, [&](const Character& character) {
        if (++count > most) return;
        before_last = result.size();
        result += character.bytes;
    });
    if (count <= most) return result;
    result.resize(before_last);
    if (most > 0) result += kEllipsis;
    return result;
}

}  // namespace tare::attribution
