// The symbols of one ELF file: functions with their sizes, and addresses by name.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "harness/attribution/elf_file.h"
#include "harness/core/ledger.h"

namespace tare::attribution {

enum class SymbolTable {
    kFull,     ///< .symtab
    kDynamic,  ///< .dynsym
};

struct FunctionSymbol {
    std::uint64_t start = 0;  ///< as in the table: of the ELF file, without bias
    std::uint64_t size = 0;   ///< bytes; 0: the table does not say
    std::string_view name;    ///< as it stands there: mangled, with its version
    core::NameSource source = core::NameSource::kSymbols;
    bool is_typed = true;  ///< STT_FUNC or STT_GNU_IFUNC; STT_NOTYPE otherwise, as assembly leaves it
    bool is_local = false;
};

/// Defined symbols in executable sections, in the table's order; addresses of a relocatable file's have that of their
/// section added. Names are valid as long as the file. Damaged entries are left out.
[[nodiscard]] std::vector<FunctionSymbol> function_symbols(const ElfFile& file, SymbolTable table);

/// A symbol of any type, global before local; nullopt where the table defines none of that name.
[[nodiscard]] std::optional<std::uint64_t> symbol_address(const ElfFile& file, SymbolTable table,
                                                          std::string_view name);

}  // namespace tare::attribution
