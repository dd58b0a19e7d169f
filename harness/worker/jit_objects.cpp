// The layout is that of gdb's manual, "JIT Compilation Interface".
#include "harness/worker/jit_objects.h"

#include <fmt/format.h>

namespace tare::worker {

namespace {

struct Descriptor {
    std::uint32_t version;
    std::uint32_t action;
    std::uint64_t relevant_entry;
    std::uint64_t first_entry;
};

struct Entry {
    std::uint64_t next;
    std::uint64_t previous;
    std::uint64_t symbol_file;
    std::uint64_t symbol_file_bytes;
};

constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kMostEntries = 4096;
constexpr std::size_t kMostBytes = 64 << 20;

}  // namespace

core::Expected<std::vector<std::string>> jit_objects(std::uint64_t address, OwnMemory& memory) {
    Descriptor descriptor{};
    if (!memory.read_object(address, descriptor) || descriptor.version != kVersion)
        return core::fail(core::ErrorCode::kData,
                          fmt::format("there is no JIT descriptor of version {} at {:#x}", kVersion, address));
    std::vector<std::string> objects;
    std::size_t total_bytes = 0;
    std::uint64_t next = descriptor.first_entry;
    for (std::size_t i = 0; i < kMostEntries && next != 0; ++i) {
        Entry entry{};
        if (!memory.read_object(next, entry)) break;
        next = entry.next;
        if (entry.symbol_file_bytes > kMostBytes - total_bytes) continue;
        std::string bytes = memory.read(entry.symbol_file, entry.symbol_file_bytes);
        if (bytes.empty() || bytes.size() != entry.symbol_file_bytes) continue;
        total_bytes += bytes.size();
        objects.push_back(std::move(bytes));
    }
    return objects;
}

}  // namespace tare::worker
