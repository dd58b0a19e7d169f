// Two pages of anonymous memory of which the second can be taken away: an address at the end of a mapping.
#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <string_view>

namespace tare::worker {

class MappedPages {
  public:
    static constexpr std::size_t kPageBytes = 4096;

    MappedPages()
        : memory_(static_cast<char*>(
              mmap(nullptr, 2 * kPageBytes, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
        munmap(memory_ + kPageBytes, kPageBytes);
    }
    ~MappedPages() { munmap(memory_, kPageBytes); }
    MappedPages(const MappedPages&) = delete;
    MappedPages& operator=(const MappedPages&) = delete;

    [[nodiscard]] std::uint64_t start() const { return reinterpret_cast<std::uint64_t>(memory_); }
    [[nodiscard]] std::uint64_t end() const { return start() + kPageBytes; }
    /// Puts `bytes` right before the end and returns where.
    std::uint64_t write_at_end(std::string_view bytes) {
        char* to = memory_ + kPageBytes - bytes.size();
        std::memcpy(to, bytes.data(), bytes.size());
        return reinterpret_cast<std::uint64_t>(to);
    }

  private:
    char* memory_;
};

}  // namespace tare::worker
