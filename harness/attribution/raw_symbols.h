// Raw symbols: one symbol table of an ELF file as bytes, with bounds. Walked as bytes because validating each of
// libllvmlite's names through libelf takes longer than reading them. Valid as long as the file.
#pragma once

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "harness/attribution/elf_file.h"

namespace tare::attribution {

struct RawSymbols {
    std::string_view symbols;
    std::string_view names;

    /// `type`: SHT_SYMTAB or SHT_DYNSYM; empty where the file has none.
    [[nodiscard]] static RawSymbols of(const ElfFile& file, std::uint32_t type) {
        const auto& sections = file.sections();
        const auto table =
            std::find_if(sections.begin(), sections.end(), [&](const ElfSection& s) { return s.type == type; });
        if (table == sections.end()) return {};
        const auto names = std::find_if(sections.begin(), sections.end(), [&](const ElfSection& s) {
            return s.index == table->link && s.type == SHT_STRTAB;
        });
        if (names == sections.end()) return {};
        return {file.bytes(*table), file.bytes(*names)};
    }

    [[nodiscard]] std::size_t count() const { return symbols.size() / sizeof(Elf64_Sym); }

    [[nodiscard]] Elf64_Sym symbol(std::size_t i) const {
        Elf64_Sym symbol;
        std::memcpy(&symbol, symbols.data() + i * sizeof symbol, sizeof symbol);
        return symbol;
    }

    /// Empty where it does not lie in the string table.
    [[nodiscard]] std::string_view name(const Elf64_Sym& symbol) const {
        if (symbol.st_name >= names.size()) return {};
        const std::size_t end = names.find('\0', symbol.st_name);
        return end == std::string_view::npos ? std::string_view{} : names.substr(symbol.st_name, end - symbol.st_name);
    }

    [[nodiscard]] bool has_name(const Elf64_Sym& symbol, std::string_view wanted) const {
        if (symbol.st_name >= names.size() || names.size() - symbol.st_name <= wanted.size()) return false;
        return names[symbol.st_name + wanted.size()] == '\0' &&
               names.compare(symbol.st_name, wanted.size(), wanted) == 0;
    }
};

}  // namespace tare::attribution
