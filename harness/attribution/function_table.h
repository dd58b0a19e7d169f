// Function table: which function of a file an address belongs to, from symbols and frame entries together. Where they
// contradict each other the frame entry wins and there is no name: a wrong name is worse than none. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/attribution/elf_symbols.h"
#include "harness/attribution/frame_entries.h"

namespace tare::attribution {

struct FunctionRange {
    std::uint64_t start = 0;                 ///< address in the ELF file
    std::uint64_t end = 0;                   ///< past it
    const FunctionSymbol* symbol = nullptr;  ///< null: no name. Valid as long as the table
};

class FunctionTable {
  public:
    FunctionTable() = default;
    /// `frames` by start. Of the symbols at one address the table keeps one: from the better source, typed before
    /// untyped, larger before smaller, global before local, fewer leading underscores, shorter, then by alphabet.
    FunctionTable(std::vector<FunctionSymbol> symbols, std::vector<FrameEntry> frames);

    /// nullopt: no symbol's size and no frame entry reaches there.
    [[nodiscard]] std::optional<FunctionRange> find(std::uint64_t address) const;
    /// The symbol that starts exactly there; null where there is none.
    [[nodiscard]] const FunctionSymbol* symbol_at(std::uint64_t start) const;

  private:
    [[nodiscard]] const FrameEntry* frame_around(std::uint64_t address) const;
    [[nodiscard]] const FunctionSymbol* symbol_around(std::uint64_t address) const;
    [[nodiscard]] bool is_only_symbol_in(const FrameEntry& frame) const;

    std::vector<FunctionSymbol> symbols_;     // by start, one each, none without size
    std::vector<std::uint64_t> latest_ends_;  // of symbols_[0..i]
    std::vector<FrameEntry> frames_;
};

}  // namespace tare::attribution
