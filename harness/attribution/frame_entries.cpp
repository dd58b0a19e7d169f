// The layout is that of the Linux Standard Base, "Exception Frames"; pointer encodings are DWARF's DW_EH_PE_*.
#include "harness/attribution/frame_entries.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "harness/attribution/byte_reader.h"

namespace tare::attribution {

namespace {

constexpr std::uint8_t kFormatMask = 0x0f;
constexpr std::uint8_t kRelationMask = 0xf0;  // the highest bit, "indirect", is no relation that we can follow
constexpr std::uint8_t kAbsolute = 0x00;
constexpr std::uint8_t kRelativeToItself = 0x10;
constexpr std::uint8_t kUnread = 0xff;  // DW_EH_PE_omit: the CIE could not be read

/// The bare number; the reader turns bad at an unknown format.
std::optional<std::uint64_t> encoded(ByteReader& reader, std::uint8_t encoding) {
    switch (encoding & kFormatMask) {
        case 0x00:
        case 0x04:
        case 0x0c:
            return reader.number<std::uint64_t>();
        case 0x01:
            return reader.uleb128();
        case 0x02:
            return reader.number<std::uint16_t>();
        case 0x03:
            return reader.number<std::uint32_t>();
        case 0x09:
            return static_cast<std::uint64_t>(reader.sleb128());
        case 0x0a:
            return static_cast<std::uint64_t>(std::int64_t{reader.number<std::int16_t>()});
        case 0x0b:
            return static_cast<std::uint64_t>(std::int64_t{reader.number<std::int32_t>()});
        default:
            return std::nullopt;
    }
}

/// How the FDEs of the CIE whose fields begin at the reader write their start. kUnread where that is unknown.
std::uint8_t pointer_encoding(ByteReader reader) {
    const auto version = reader.number<std::uint8_t>();
    const std::string_view augmentation = reader.text();
    if (version != 1 && version != 3 && version != 4) return kUnread;
    if (version == 4) reader.number<std::uint16_t>();  // sizes of an address and of a segment selector
    reader.uleb128();                                  // code alignment
    reader.sleb128();                                  // data alignment
    if (version == 1) {
        reader.number<std::uint8_t>();  // the return address's register
    } else {
        reader.uleb128();
    }
    if (augmentation.empty()) return reader.good() ? kAbsolute : kUnread;
    if (augmentation.front() != 'z') return kUnread;
    reader.uleb128();  // bytes of augmentation
    std::uint8_t encoding = kAbsolute;
    for (const char letter : augmentation.substr(1)) {
        if (letter == 'R') {
            encoding = reader.number<std::uint8_t>();
        } else if (letter == 'L') {
            reader.number<std::uint8_t>();
        } else if (letter == 'P') {
            if (!encoded(reader, reader.number<std::uint8_t>())) return kUnread;
        } else if (letter != 'S' && letter != 'B' && letter != 'G') {
            return kUnread;
        }
    }
    return reader.good() ? encoding : kUnread;
}

std::optional<FrameEntry> range_at(ByteReader reader, std::uint64_t section_address, std::uint8_t encoding) {
    const std::uint8_t relation = encoding & kRelationMask;
    if (encoding == kUnread || (relation != kAbsolute && relation != kRelativeToItself)) return std::nullopt;
    const std::uint64_t here = section_address + reader.position();
    const auto first = encoded(reader, encoding);
    const auto size = encoded(reader, encoding);
    if (!first || !size || !reader.good()) return std::nullopt;
    const std::uint64_t start = relation == kRelativeToItself ? here + *first : *first;
    if (*size == 0 || start + *size <= start) return std::nullopt;
    return FrameEntry{start, start + *size};
}

}  // namespace

std::vector<FrameEntry> frame_entries(std::string_view eh_frame, std::uint64_t section_address) {
    std::vector<FrameEntry> entries;
    std::unordered_map<std::size_t, std::uint8_t> encodings;  // by the CIE's position
    std::size_t position = 0;
    while (position < eh_frame.size()) {
        ByteReader reader(eh_frame, position);
        std::uint64_t length = reader.number<std::uint32_t>();
        if (length == 0xffffffff) length = reader.number<std::uint64_t>();
        const std::size_t body = reader.position();
        if (!reader.good() || length > eh_frame.size() - body) break;
        position = body + length;
        if (length == 0) continue;  // a terminator; linkers have left some in the middle

        const auto back = reader.number<std::uint32_t>();  // 0: a CIE; else from here back to the FDE's CIE
        if (back == 0 || back > body) continue;
        const std::size_t cie = body - back;
        const auto [known, is_new] = encodings.try_emplace(cie, kUnread);
        if (is_new) {
            ByteReader fields(eh_frame, cie);
            if (fields.number<std::uint32_t>() == 0xffffffff) fields.number<std::uint64_t>();
            if (fields.number<std::uint32_t>() == 0 && fields.good()) known->second = pointer_encoding(fields);
        }
        const ByteReader fde(eh_frame.substr(0, position), reader.position());
        if (const auto range = range_at(fde, section_address, known->second)) entries.push_back(*range);
    }
    std::sort(entries.begin(), entries.end(), [](const FrameEntry& a, const FrameEntry& b) {
        return a.start != b.start ? a.start < b.start : a.end < b.end;
    });
    entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
    return entries;
}

}  // namespace tare::attribution
