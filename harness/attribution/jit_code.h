// JIT code: functions compiled at run time, by address, as perf maps and GDB's JIT interface tell them. What is told
// later replaces what it overlaps, as memory is used again.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "harness/core/error.h"

namespace tare::attribution {

class JitCode {
  public:
    struct Range {
        std::uint64_t end = 0;  ///< past it
        std::string name;       ///< demangled where it was mangled
    };

    void add(std::uint64_t start, std::uint64_t end, std::string name);
    /// Lines `start size name`, hexadecimal. Returns how many could not be used: damaged, without size, or a last line
    /// without its end, which is still being written.
    std::size_t add_perf_map(std::string_view text);
    /// An ELF object whose section addresses are those in memory. Errors: kData.
    [[nodiscard]] core::Status add_object(std::string_view bytes);

    /// end() where nothing is known.
    using Iterator = std::map<std::uint64_t, Range>::const_iterator;
    [[nodiscard]] Iterator find(std::uint64_t address) const;
    [[nodiscard]] Iterator end() const { return ranges_.end(); }
    [[nodiscard]] bool empty() const { return ranges_.empty(); }

  private:
    std::map<std::uint64_t, Range> ranges_;  // by start, none overlaps another
};

}  // namespace tare::attribution
