// The layout is that of gdb's manual, "JIT Compilation Interface". A compiler writes an entry before it links it, and
// names it as the relevant one: a descriptor that has not changed heads a list that has not grown.
#include "harness/attribution/jit_list.h"

#include <elf.h>

#include <cstring>

namespace tare::attribution {

namespace {

struct Entry {
    std::uint64_t next = 0;
    std::uint64_t previous = 0;
    std::uint64_t symbol_file = 0;
    std::uint64_t symbol_file_bytes = 0;
};

/// A compiler registers the file that it has loaded: its code and unwind information stand relocated in memory alone.
void take_sections_from_memory(std::string& object, const ReadMemory& read) {
    Elf64_Ehdr header;
    if (object.size() < sizeof header) return;
    std::memcpy(&header, object.data(), sizeof header);
    if (header.e_shentsize != sizeof(Elf64_Shdr)) return;
    for (std::size_t i = 0; i < header.e_shnum; ++i) {
        Elf64_Shdr section;
        const std::uint64_t at = header.e_shoff + i * sizeof section;
        if (at < header.e_shoff || at > object.size() || object.size() - at < sizeof section) return;
        std::memcpy(&section, object.data() + at, sizeof section);
        const bool is_loaded =
            (section.sh_flags & SHF_ALLOC) != 0 && section.sh_addr != 0 && section.sh_type != SHT_NOBITS;
        if (!is_loaded || section.sh_offset > object.size() || section.sh_size > object.size() - section.sh_offset)
            continue;
        std::string bytes(section.sh_size, '\0');
        if (read(section.sh_addr, bytes.data(), bytes.size())) object.replace(section.sh_offset, bytes.size(), bytes);
    }
}

constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kMostEntries = 4096;
constexpr std::size_t kMostObjectBytes = std::size_t{64} << 20;

}  // namespace

std::vector<std::string> JitList::fresh(const ReadMemory& read) {
    std::vector<std::string> objects;
    Descriptor descriptor;
    if (!read(descriptor_, &descriptor, sizeof descriptor) || descriptor.version != kVersion || descriptor == last_)
        return objects;
    std::uint64_t next = descriptor.first_entry;
    for (std::size_t i = 0; i < kMostEntries && next != 0; ++i) {
        Entry entry;
        // Freed meanwhile: the next call looks again.
        if (!read(next, &entry, sizeof entry)) return objects;
        const Known key = {next, entry.symbol_file, entry.symbol_file_bytes};
        next = entry.next;
        if (known_.contains(key) || entry.symbol_file_bytes == 0 ||
            entry.symbol_file_bytes > kMostObjectBytes - read_bytes_)
            continue;
        std::string bytes(entry.symbol_file_bytes, '\0');
        if (!read(entry.symbol_file, bytes.data(), bytes.size())) continue;
        take_sections_from_memory(bytes, read);
        known_.insert(key);
        read_bytes_ += bytes.size();
        objects.push_back(std::move(bytes));
    }
    last_ = descriptor;
    return objects;
}

}  // namespace tare::attribution
