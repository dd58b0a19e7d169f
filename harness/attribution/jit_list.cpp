// The layout is that of gdb's manual, "JIT Compilation Interface". A compiler writes an entry before it links it, and
// names it as the relevant one: a descriptor that has not changed heads a list that has not grown.
#include "harness/attribution/jit_list.h"

namespace tare::attribution {

namespace {

struct Entry {
    std::uint64_t next = 0;
    std::uint64_t previous = 0;
    std::uint64_t symbol_file = 0;
    std::uint64_t symbol_file_bytes = 0;
};

constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kMostEntries = 4096;
constexpr std::size_t kMostBytes = std::size_t{64} << 20;

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
        if (known_.contains(key) || entry.symbol_file_bytes == 0 || entry.symbol_file_bytes > kMostBytes - read_bytes_)
            continue;
        std::string bytes(entry.symbol_file_bytes, '\0');
        if (!read(entry.symbol_file, bytes.data(), bytes.size())) continue;
        known_.insert(key);
        read_bytes_ += bytes.size();
        objects.push_back(std::move(bytes));
    }
    last_ = descriptor;
    return objects;
}

}  // namespace tare::attribution
