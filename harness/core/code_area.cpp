// Layout: a header, a hash table of slots in open addressing, then text that only grows. A slot's place is the number.
// Its state word goes free, writing, ready once and never back, so that who has seen `ready` may read all the rest.
#include "harness/core/code_area.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

namespace tare::core {

namespace {

constexpr std::size_t kBytesPerSlot = 512;  // slots take an eighth of the memory
constexpr std::size_t kFewestBytes = 4096;
constexpr std::size_t kMostProbes = 64;       // bounds a look-up; a table seven eighths full has runs of that length
constexpr std::size_t kMostAttempts = 1000;   // to win the text's end from other writers
constexpr std::size_t kMostFileBytes = 4096;  // PATH_MAX
constexpr std::size_t kMostNameBytes = 1024;
constexpr int kFormatAt = 24;  // bits of a slot's table_bytes

enum State : std::uint64_t { kFree, kWriting, kReady, kRefused };
constexpr std::uint64_t kStateBits = 3;  // the rest of the word is the key's hash

struct Header {
    std::uint64_t text_end;  // bytes of text given out
    std::uint64_t described;
    std::uint64_t refused;
};

struct alignas(64) Slot {
    std::uint64_t state;
    std::uint64_t address;
    std::uint64_t name_address;
    std::uint64_t table_address;
    std::uint64_t version;
    std::uint64_t text;  // where it begins
    std::uint32_t first_line;
    std::uint32_t file_bytes;  // file, name and table follow one another
    std::uint32_t name_bytes;
    std::uint32_t table_bytes;  // and above these the LineFormat
};
static_assert(sizeof(Slot) == 64);

template <class T>
T load(T& place, std::memory_order order = std::memory_order_relaxed) {
    return std::atomic_ref<T>(place).load(order);
}

template <class T>
void store(T& place, T value) {
    std::atomic_ref<T>(place).store(value, std::memory_order_relaxed);
}

void count(std::uint64_t& counter) {
    std::atomic_ref<std::uint64_t>(counter).fetch_add(1, std::memory_order_relaxed);
}

struct Parts {
    Header* header = nullptr;
    std::span<Slot> slots;
    std::span<char> text;
};

Parts parts_of(std::span<std::byte> memory) {
    const std::size_t skew =
        (alignof(Slot) - reinterpret_cast<std::uintptr_t>(memory.data()) % alignof(Slot)) % alignof(Slot);
    if (memory.size() < kFewestBytes + skew) return {};
    memory = memory.subspan(skew);
    const std::size_t slots =
        std::min<std::size_t>(std::bit_floor(memory.size() / kBytesPerSlot), std::size_t{1} << 31);
    const std::size_t text = sizeof(Slot) * (1 + slots);
    return {.header = reinterpret_cast<Header*>(memory.data()),
            .slots = {reinterpret_cast<Slot*>(memory.data() + sizeof(Slot)), slots},
            .text = {reinterpret_cast<char*>(memory.data() + text), memory.size() - text}};
}

std::uint64_t hash_of(const CodeKey& key) {
    std::uint64_t hash = 0;
    for (const std::uint64_t word : {key.address, key.name_address, key.table_address, key.first_line, key.version}) {
        hash = (hash ^ word) * 0x9E3779B97F4A7C15;  // 2^64 divided by the golden ratio: Knuth, volume 3, 6.4
        hash ^= hash >> 32;
    }
    return hash & ~kStateBits;
}

bool has_key(Slot& slot, const CodeKey& key) {
    return load(slot.address) == key.address && load(slot.name_address) == key.name_address &&
           load(slot.table_address) == key.table_address && load(slot.first_line) == key.first_line &&
           load(slot.version) == key.version;
}

/// At most `most` bytes of UTF-8, no character in part.
std::string_view cut(std::string_view text, std::size_t most) {
    if (text.size() <= most) return text;
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
    return text.substr(0, most);
}

/// The start of so many bytes, or none: there is no room.
std::optional<std::uint64_t> take_text(const Parts& parts, std::size_t size) {
    std::atomic_ref<std::uint64_t> end(parts.header->text_end);
    std::uint64_t start = end.load(std::memory_order_relaxed);
    for (std::size_t i = 0; i < kMostAttempts; ++i) {
        if (start > parts.text.size() || size > parts.text.size() - start) return std::nullopt;
        if (end.compare_exchange_weak(start, start + size, std::memory_order_relaxed)) return start;
    }
    return std::nullopt;
}

/// Of a slot that the caller has claimed. False: there is no room for the text.
bool fill(const Parts& parts, Slot& slot, const CodeKey& key, const CodeText& text) {
    const std::string_view file = cut(text.file, kMostFileBytes);
    const std::string_view name = cut(text.name, kMostNameBytes);
    const std::string_view table = text.line_table.substr(0, kMostLineTableBytes);
    const auto start = take_text(parts, file.size() + name.size() + table.size());
    if (!start) return false;
    char* to = parts.text.data() + *start;
    to = std::copy(file.begin(), file.end(), to);
    to = std::copy(name.begin(), name.end(), to);
    std::copy(table.begin(), table.end(), to);
    store(slot.address, key.address);
    store(slot.name_address, key.name_address);
    store(slot.table_address, key.table_address);
    store(slot.first_line, static_cast<std::uint32_t>(key.first_line));
    store(slot.version, key.version);
    store(slot.text, *start);
    store(slot.file_bytes, static_cast<std::uint32_t>(file.size()));
    store(slot.name_bytes, static_cast<std::uint32_t>(name.size()));
    store(slot.table_bytes, static_cast<std::uint32_t>(table.size()) | static_cast<std::uint32_t>(text.line_format)
                                                                           << kFormatAt);
    return true;
}

/// Of claimed slots: a failed one stays, as a mark that others have looked past it.
std::uint32_t describe_in(const Parts& parts, std::uint32_t number, const CodeKey& key, const CodeText& text,
                          std::uint64_t hash) {
    Slot& slot = parts.slots[number];
    const bool filled = fill(parts, slot, key, text);
    count(filled ? parts.header->described : parts.header->refused);
    std::atomic_ref(slot.state).store(hash | (filled ? kReady : kRefused), std::memory_order_release);
    return filled ? number : CodeArea::kFull;
}

}  // namespace

CodeArea::CodeArea(std::span<std::byte> memory) : memory_(memory) {}

std::uint32_t CodeArea::find(const CodeKey& key) const noexcept {
    const Parts parts = parts_of(memory_);
    const std::uint64_t hash = hash_of(key);
    for (std::size_t i = 0; i < std::min(kMostProbes, parts.slots.size()); ++i) {
        const auto number = static_cast<std::uint32_t>(((hash >> 2) + i) & (parts.slots.size() - 1));
        Slot& slot = parts.slots[number];
        const std::uint64_t state = load(slot.state, std::memory_order_acquire);
        if (state == kFree) break;
        if (state == (hash | kReady) && has_key(slot, key)) return number;
    }
    return kFull;
}

std::uint32_t CodeArea::describe(const CodeKey& key, const CodeText& text) noexcept {
    const Parts parts = parts_of(memory_);
    if (parts.header == nullptr) return kFull;
    const std::uint64_t hash = hash_of(key);
    for (std::size_t i = 0; i < std::min(kMostProbes, parts.slots.size()); ++i) {
        const auto number = static_cast<std::uint32_t>(((hash >> 2) + i) & (parts.slots.size() - 1));
        Slot& slot = parts.slots[number];
        std::uint64_t state = load(slot.state, std::memory_order_acquire);
        if (state == kFree &&
            std::atomic_ref(slot.state)
                .compare_exchange_strong(state, hash | kWriting, std::memory_order_acq_rel, std::memory_order_acquire))
            return describe_in(parts, number, key, text, hash);
        if (state == (hash | kReady) && has_key(slot, key)) return number;
        if (state == (hash | kWriting) || state == (hash | kRefused)) return kFull;
    }
    count(parts.header->refused);
    return kFull;
}

std::optional<PythonCode> CodeArea::read(std::uint32_t number) const {
    const Parts parts = parts_of(memory_);
    if (number >= parts.slots.size()) return std::nullopt;
    Slot& slot = parts.slots[number];
    if ((load(slot.state, std::memory_order_acquire) & kStateBits) != kReady) return std::nullopt;
    // Read once, then checked: another process may write to them meanwhile.
    const std::uint64_t start = load(slot.text);
    const std::size_t file = load(slot.file_bytes);
    const std::size_t name = load(slot.name_bytes);
    const std::uint32_t about_table = load(slot.table_bytes);
    const std::size_t table = about_table & ((std::uint32_t{1} << kFormatAt) - 1);
    const std::uint32_t format = about_table >> kFormatAt;
    const std::uint32_t first_line = load(slot.first_line);
    if (file > kMostFileBytes || name > kMostNameBytes || table > kMostLineTableBytes || first_line > INT32_MAX ||
        format > static_cast<std::uint32_t>(LineFormat::kSteps) || start > parts.text.size() ||
        file + name + table > parts.text.size() - start)
        return std::nullopt;
    const char* text = parts.text.data() + start;
    return PythonCode{.file = std::string(text, file),
                      .name = std::string(text + file, name),
                      .first_line = static_cast<int>(first_line),
                      .line_table = std::string(text + file + name, table),
                      .line_format = static_cast<LineFormat>(format)};
}

std::size_t CodeArea::described() const {
    const Parts parts = parts_of(memory_);
    return parts.header != nullptr ? load(parts.header->described) : 0;
}

std::size_t CodeArea::refused() const {
    const Parts parts = parts_of(memory_);
    return parts.header != nullptr ? load(parts.header->refused) : 0;
}

}  // namespace tare::core
