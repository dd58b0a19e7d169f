// This process's memory read without touching it: what is not there is not there, and no fault. Pages are kept.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <type_traits>

namespace tare::worker {

class OwnMemory {
  public:
    /// As many of the `size` bytes from `address` on as can be read.
    [[nodiscard]] std::string read(std::uint64_t address, std::size_t size);
    /// False: not all of `object` can be read.
    template <class T>
    [[nodiscard]] bool read_object(std::uint64_t address, T& object) {
        static_assert(std::is_trivially_copyable_v<T>);
        const std::string bytes = read(address, sizeof object);
        if (bytes.size() != sizeof object) return false;
        bytes.copy(reinterpret_cast<char*>(&object), sizeof object);
        return true;
    }

  private:
    const std::string& page(std::uint64_t start);
    std::map<std::uint64_t, std::string> pages_;  ///< by start; empty text: not readable
};

}  // namespace tare::worker
