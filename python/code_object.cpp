// Strings are compact (PEP 393): the characters follow a head. ASCII is taken as it lies there, the rest is made UTF-8.
#include "python/frame_layout.h"
// (first: it includes Python.h)
#include "python/code_object.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace tare::python {

#if PY_VERSION_HEX >= 0x03090000 && PY_VERSION_HEX < 0x030F0000 && !defined(Py_GIL_DISABLED)

namespace {

constexpr std::uint64_t kObjectAlignment = 8;
constexpr std::int64_t kMostUnits = 64 << 20;      // of one function's bytecode: anything larger is no code object
constexpr std::int64_t kMostCharacters = 1 << 20;  // of a name, likewise
constexpr std::size_t kConverted = 512;  // bytes of UTF-8 that fit on a signal stack; the end of a longer one is lost
constexpr char32_t kReplacement = 0xFFFD;

using Buffer = std::array<char, kConverted>;
using TextState = decltype(PyASCIIObject::state);

bool is_object(ReadableMemory& memory, std::uint64_t address, std::uint64_t type, std::size_t size) {
    return address % kObjectAlignment == 0 && memory.has(address, size) &&
           ReadableMemory::at<std::uint64_t>(address + offsetof(PyObject, ob_type)) == type;
}

/// False: no room for it.
bool append_utf8(char32_t c, Buffer& buffer, std::size_t& used) {
    if ((c >= 0xD800 && c <= 0xDFFF) || c > 0x10FFFF) c = kReplacement;  // PEP 383 smuggles bytes as lone surrogates
    const std::size_t extra = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    if (used + extra >= buffer.size()) return false;
    constexpr std::array<unsigned, 4> kHeads{0x00, 0xC0, 0xE0, 0xF0};
    buffer[used++] = static_cast<char>(kHeads[extra] | c >> (6 * extra));
    for (std::size_t i = extra; i-- > 0;) buffer[used++] = static_cast<char>(0x80 | (c >> (6 * i) & 0x3F));
    return true;
}

char32_t character_at(std::uint64_t data, std::uint64_t i, unsigned kind) {
    switch (kind) {
        case PyUnicode_1BYTE_KIND:
            return ReadableMemory::at<std::uint8_t>(data + i);
        case PyUnicode_2BYTE_KIND:
            return ReadableMemory::at<std::uint16_t>(data + 2 * i);
        default:
            return ReadableMemory::at<std::uint32_t>(data + 4 * i);
    }
}

/// Empty where it is no string that can be read. The buffer is used for what is not ASCII.
std::string_view text_of(ReadableMemory& memory, const RunningInterpreter& interpreter, std::uint64_t address,
                         Buffer& buffer) {
    if (!is_object(memory, address, interpreter.text_type, sizeof(PyASCIIObject))) return {};
    const auto length = ReadableMemory::at<std::int64_t>(address + offsetof(PyASCIIObject, length));
    const auto state =
        std::bit_cast<TextState>(ReadableMemory::at<std::uint32_t>(address + offsetof(PyASCIIObject, state)));
    if (!state.compact || length <= 0 || length > kMostCharacters) return {};
    const auto count = static_cast<std::uint64_t>(length);
    const std::uint64_t data = address + (state.ascii ? sizeof(PyASCIIObject) : sizeof(PyCompactUnicodeObject));
    const unsigned kind = state.kind;  // bytes of a character
    if (!memory.has(data, count * kind)) return {};
    if (state.ascii) return {reinterpret_cast<const char*>(data), count};
    std::size_t used = 0;
    for (std::uint64_t i = 0; i < count; ++i)
        if (!append_utf8(character_at(data, i, kind), buffer, used)) break;
    return {buffer.data(), used};
}

/// No view where it is no bytes object that can be read.
std::string_view bytes_of(ReadableMemory& memory, const RunningInterpreter& interpreter, std::uint64_t address) {
    constexpr std::size_t kData = offsetof(PyBytesObject, ob_sval);
    if (!is_object(memory, address, interpreter.bytes_type, kData)) return {};
    const auto length = ReadableMemory::at<std::int64_t>(address + offsetof(PyVarObject, ob_size));
    if (length < 0 || length > kMostUnits) return {};
    const auto size = static_cast<std::size_t>(length);
    return size == 0 || memory.has(address + kData, size)
               ? std::string_view(reinterpret_cast<const char*>(address + kData), size)
               : std::string_view();
}

/// Where the characters of a string lie; no bytes where it is none that can be read.
struct Characters {
    std::uint64_t data = 0;
    std::uint64_t bytes = 0;
    std::uint64_t length = 0;
};

Characters characters_of(ReadableMemory& memory, std::uint64_t text) {
    if (text % kObjectAlignment != 0 || !memory.has(text, sizeof(PyASCIIObject))) return {};
    const auto length = ReadableMemory::at<std::uint64_t>(text + offsetof(PyASCIIObject, length));
    const auto state =
        std::bit_cast<TextState>(ReadableMemory::at<std::uint32_t>(text + offsetof(PyASCIIObject, state)));
    const std::uint64_t data = text + (state.ascii ? sizeof(PyASCIIObject) : sizeof(PyCompactUnicodeObject));
    if (length == 0 || length > kMostCharacters || !memory.has(data, length * state.kind)) return {};
    return {data, length * state.kind, length};
}

/// Of a string: its length and last characters.
std::uint64_t mark_of(ReadableMemory& memory, std::uint64_t text) {
    const Characters characters = characters_of(memory, text);
    const std::uint64_t end = characters.data + characters.bytes;
    std::uint64_t last = 0;
    if (characters.bytes >= sizeof last)
        last = ReadableMemory::at<std::uint64_t>(end - sizeof last);
    else
        for (std::uint64_t at = characters.data; at < end; ++at)
            last = last << 8 | ReadableMemory::at<std::uint8_t>(at);
    return (last ^ characters.length) * 0x9E3779B97F4A7C15;
}

/// Of code from no file, as exec and dataclasses make it: its file is called `<string>` or the like.
bool is_made(ReadableMemory& memory, std::uint64_t file) {
    const Characters characters = characters_of(memory, file);  // of any width little-endian: the first byte is enough
    return characters.bytes > 0 && ReadableMemory::at<char>(characters.data) == '<';
}

/// What tells this code object from others that had its address, name and table before: a program that compiles in a
/// loop gets the same addresses again and again. Since 3.12 each has a number of its own. Before, the text of the
/// file's name does it, which is near at hand; that of its own name, which costs 0.1 us, is looked at where such loops
/// are likely.
std::uint64_t version_of(ReadableMemory& memory, std::uint64_t address) {
    if (layout::kVersion != 0) return ReadableMemory::at<std::uint32_t>(address + layout::kVersion);
    const auto file = ReadableMemory::at<std::uint64_t>(address + layout::kFileName);
    const std::uint64_t mark = mark_of(memory, file);
    if (!is_made(memory, file)) return mark;
    return mark * 3 + mark_of(memory, ReadableMemory::at<std::uint64_t>(address + layout::kQualifiedName));
}

struct Bytecode {
    std::uint64_t address = 0;
    std::int64_t bytes = 0;
};

#if PY_VERSION_HEX >= 0x030B0000
Bytecode bytecode_of(ReadableMemory&, const RunningInterpreter&, std::uint64_t code) {
    const auto units = ReadableMemory::at<std::int64_t>(code + offsetof(PyVarObject, ob_size));
    return {code + layout::kBytecode, units > kMostUnits ? 0 : units * static_cast<std::int64_t>(sizeof(_Py_CODEUNIT))};
}
#else
Bytecode bytecode_of(ReadableMemory& memory, const RunningInterpreter& interpreter, std::uint64_t code) {
    constexpr std::size_t kData = offsetof(PyBytesObject, ob_sval);
    const auto object = ReadableMemory::at<std::uint64_t>(code + offsetof(PyCodeObject, co_code));
    if (!is_object(memory, object, interpreter.bytes_type, kData)) return {};
    const auto bytes = ReadableMemory::at<std::int64_t>(object + offsetof(PyVarObject, ob_size));
    return {object + kData, bytes > kMostUnits ? 0 : bytes};
}
#endif

}  // namespace

std::optional<CodeObject> read_code_object(ReadableMemory& memory, const RunningInterpreter& interpreter,
                                           std::uint64_t address) noexcept {
    if (!is_object(memory, address, interpreter.code_type, layout::kCodeBytes)) return std::nullopt;
    const Bytecode bytecode = bytecode_of(memory, interpreter, address);
    const auto references = ReadableMemory::at<std::uint64_t>(address + offsetof(PyObject, ob_refcnt));
    const auto first_line = ReadableMemory::at<std::int32_t>(address + layout::kFirstLine);
    if (references == 0 || bytecode.bytes <= 0 || first_line < 0) return std::nullopt;
    return CodeObject{.key = {.address = address,
                              .name_address = ReadableMemory::at<std::uint64_t>(address + layout::kQualifiedName),
                              .table_address = ReadableMemory::at<std::uint64_t>(address + layout::kLineTable),
                              .first_line = static_cast<std::uint64_t>(first_line),
                              .version = version_of(memory, address)},
                      .file_address = ReadableMemory::at<std::uint64_t>(address + layout::kFileName),
                      .bytecode = bytecode.address,
                      .bytecode_bytes = static_cast<std::uint64_t>(bytecode.bytes)};
}

std::uint32_t number_of(core::CodeArea& area, ReadableMemory& memory, const RunningInterpreter& interpreter,
                        const CodeObject& code) noexcept {
    const std::uint32_t known = area.find(code.key);
    if (known != core::CodeArea::kFull) return known;
    Buffer file;
    Buffer name;
    const std::string_view table = bytes_of(memory, interpreter, code.key.table_address);
    // An empty table is one of 3.9, where all is on the first line; in that of locations nothing is on any.
    const auto format = table.data() == nullptr ? core::LineFormat::kLocations : layout::kLineFormat;
    return area.describe(code.key, {.file = text_of(memory, interpreter, code.file_address, file),
                                    .name = text_of(memory, interpreter, code.key.name_address, name),
                                    .line_table = table,
                                    .line_format = format});
}

#endif

}  // namespace tare::python
