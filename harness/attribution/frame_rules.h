// Frame rules of one file: its unwind information, .eh_frame before .debug_frame. libdw reads it; what it says of a
// range of code is kept, equal rules once. Addresses are those of the ELF file.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "harness/attribution/elf_file.h"
#include "harness/attribution/frame_entries.h"
#include "harness/attribution/frame_rule.h"

namespace tare::attribution {

class FrameRules {
  public:
    /// `file` outlives this object.
    explicit FrameRules(const ElfFile& file);
    ~FrameRules();
    FrameRules(FrameRules&&) noexcept;
    FrameRules& operator=(FrameRules&&) noexcept;

    /// Null where there is no unwind information. Valid as long as this object.
    [[nodiscard]] const FrameRule* find(std::uint64_t address);
    /// The entry of .eh_frame that covers an address; null where there is none.
    [[nodiscard]] const FrameEntry* entry_around(std::uint64_t address) const;
    [[nodiscard]] const std::vector<FrameEntry>& entries() const { return entries_; }

    [[nodiscard]] std::uint64_t rules_read() const { return rules_read_; }  ///< how often `find` had to ask libdw
    [[nodiscard]] std::size_t bytes() const;                                ///< that this object holds, about

  private:
    struct Source;
    struct Row {
        std::uint64_t end = 0;
        const FrameRule* rule = nullptr;  ///< null: libdw knows nothing there
    };
    [[nodiscard]] Row read(std::uint64_t address);

    std::unique_ptr<Source> source_;
    std::vector<FrameEntry> entries_;
    std::map<std::uint64_t, Row> rows_;  // by start
    std::set<FrameRule> rules_;
    std::uint64_t rules_read_ = 0;
};

}  // namespace tare::attribution
