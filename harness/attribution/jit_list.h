// JitList: the symbol files that a compiler in another process registers for debuggers (GDB's JIT interface), each read
// once, while the process goes on. What foreign code has written may be damaged, or change under the reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace tare::attribution {

/// Copies `bytes` bytes of the process from `address` on. False: not all of them can be read.
using ReadMemory = std::function<bool(std::uint64_t address, void* to, std::size_t bytes)>;

class JitList {
  public:
    /// Of the list that `struct jit_descriptor` at this address heads.
    explicit JitList(std::uint64_t descriptor) : descriptor_(descriptor) {}

    /// What was registered since the last call, newest first, its sections as they lie in memory: relocated. At most
    /// 4,096 entries are looked at, and 64 MiB in all calls are read. Costs one read where nothing has changed. Empty,
    /// too, where the descriptor is not of version 1.
    [[nodiscard]] std::vector<std::string> fresh(const ReadMemory& read);

  private:
    struct Descriptor {
        std::uint32_t version = 0;
        std::uint32_t action = 0;
        std::uint64_t relevant_entry = 0;
        std::uint64_t first_entry = 0;
        bool operator==(const Descriptor&) const = default;
    };
    using Known = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;  // entry, its file, the file's size

    std::uint64_t descriptor_;
    Descriptor last_{};
    std::set<Known> known_;
    std::size_t read_bytes_ = 0;
};

}  // namespace tare::attribution
