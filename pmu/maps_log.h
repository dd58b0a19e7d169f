// MapsLog: what processes had mapped at their end, one entry after the other, in memory that they share with `bench`.
// leave() is async-signal-safe and takes as much as there is room for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace tare::pmu {

class MapsLog {
  public:
    /// Over shared memory, zeroed at first, aligned to 8 bytes.
    explicit MapsLog(std::span<std::byte> memory) : memory_(memory) {}

    /// Adds the calling process's /proc/self/maps, cut after a line. Keeps errno.
    void leave(std::int32_t process) noexcept;
    /// What that process left last; empty: nothing. Everything read is checked.
    [[nodiscard]] std::string of(std::int32_t process) const;

  private:
    struct Entry;
    [[nodiscard]] Entry* reserve(std::size_t bytes) noexcept;
    std::span<std::byte> memory_;
};

}  // namespace tare::pmu
