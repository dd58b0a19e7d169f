// What counts as a function: typed ones, and untyped ones in executable sections, as assembly leaves them.
#include "harness/attribution/elf_symbols.h"

#include <algorithm>

#include "harness/attribution/raw_symbols.h"

namespace tare::attribution {

namespace {

RawSymbols read_table(const ElfFile& file, SymbolTable kind) {
    return RawSymbols::of(file, kind == SymbolTable::kFull ? SHT_SYMTAB : SHT_DYNSYM);
}

bool is_defined(const Elf64_Sym& symbol) {
    return symbol.st_shndx != SHN_UNDEF && symbol.st_shndx != SHN_COMMON;
}

}  // namespace

std::vector<FunctionSymbol> function_symbols(const ElfFile& file, SymbolTable kind) {
    const RawSymbols table = read_table(file, kind);
    std::vector<ElfSection> code;
    for (const ElfSection& section : file.sections())
        if (section.is_executable()) code.push_back(section);

    std::vector<FunctionSymbol> found;
    for (std::size_t i = 0; i < table.count(); ++i) {
        const Elf64_Sym symbol = table.symbol(i);
        const unsigned type = ELF64_ST_TYPE(symbol.st_info);
        if (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE) continue;
        if (!is_defined(symbol) || symbol.st_shndx == SHN_ABS) continue;
        // By address, not by section index: tools that move sections (patchelf) have left stale indices behind.
        std::uint64_t start = symbol.st_value;
        auto section = std::find_if(code.begin(), code.end(), [&](const ElfSection& s) { return s.contains(start); });
        if (file.is_relocatable()) {
            section =
                std::find_if(code.begin(), code.end(), [&](const ElfSection& s) { return s.index == symbol.st_shndx; });
            if (section != code.end()) start += section->address;
        }
        if (section == code.end() || !section->contains(start)) continue;
        if (symbol.st_size > section->size - (start - section->address)) continue;
        const std::string_view name = table.name(symbol);
        if (name.empty()) continue;
        found.push_back(
            FunctionSymbol{start, symbol.st_size, name,
                           kind == SymbolTable::kFull ? core::NameSource::kSymbols : core::NameSource::kDynamicSymbols,
                           type != STT_NOTYPE, ELF64_ST_BIND(symbol.st_info) == STB_LOCAL});
    }
    return found;
}

std::optional<std::uint64_t> symbol_address(const ElfFile& file, SymbolTable kind, std::string_view name) {
    const RawSymbols table = read_table(file, kind);
    std::optional<std::uint64_t> local;
    for (std::size_t i = 0; i < table.count(); ++i) {
        const Elf64_Sym symbol = table.symbol(i);
        const unsigned type = ELF64_ST_TYPE(symbol.st_info);
        if (!is_defined(symbol) || type == STT_SECTION || type == STT_FILE || type == STT_TLS) continue;
        if (!table.has_name(symbol, name)) continue;
        if (ELF64_ST_BIND(symbol.st_info) != STB_LOCAL) return symbol.st_value;
        if (!local) local = symbol.st_value;
    }
    return local;
}

}  // namespace tare::attribution
