// libdwfl finds and checks the files. Its symbol table is the debug file's, or .gnu_debugdata's beside .dynsym; those
// of the file itself are left out here.
#include "harness/attribution/debug_symbols.h"

#include <elfutils/libdwfl.h>
#include <gelf.h>

namespace tare::attribution {

namespace {

/// As dwfl_standard_find_debuginfo, and says by a module's user data whether it found a file.
int find_debug_file(Dwfl_Module* module, void** user_data, const char* name, Dwarf_Addr base, const char* file_name,
                    const char* link_file, GElf_Word link_crc, char** found_name) {
    const int descriptor =
        dwfl_standard_find_debuginfo(module, user_data, name, base, file_name, link_file, link_crc, found_name);
    *user_data = descriptor >= 0 ? module : nullptr;
    return descriptor;
}

}  // namespace

struct DebugSymbols::Session {
    Dwfl_Callbacks callbacks{};
    Dwfl* dwfl = nullptr;

    Session() {
        callbacks.find_debuginfo = &find_debug_file;
        callbacks.section_address = &dwfl_offline_section_address;
        dwfl = dwfl_begin(&callbacks);
    }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;
    ~Session() {
        if (dwfl != nullptr) dwfl_end(dwfl);
    }
};

DebugSymbols::DebugSymbols() = default;
DebugSymbols::~DebugSymbols() = default;
DebugSymbols::DebugSymbols(DebugSymbols&&) noexcept = default;
DebugSymbols& DebugSymbols::operator=(DebugSymbols&&) noexcept = default;

DebugSymbols DebugSymbols::find(const std::string& path, const ElfFile& file) {
    DebugSymbols found;
    found.session_ = std::make_unique<Session>();
    Dwfl* dwfl = found.session_->dwfl;
    if (dwfl == nullptr) return found;
    dwfl_report_begin(dwfl);
    Dwfl_Module* module = dwfl_report_elf(dwfl, path.c_str(), path.c_str(), -1, 0, true);
    dwfl_report_end(dwfl, nullptr, nullptr);
    GElf_Addr main_bias = 0;
    const Elf* main_elf = module == nullptr ? nullptr : dwfl_module_getelf(module, &main_bias);
    if (main_elf == nullptr) return found;

    const int count = dwfl_module_getsymtab(module);
    void** user_data = nullptr;
    dwfl_module_info(module, &user_data, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
    const bool has_debug_file = user_data != nullptr && *user_data != nullptr;
    for (int i = 0; i < count; ++i) {
        GElf_Sym symbol;
        GElf_Addr address = 0;
        Elf* elf = nullptr;
        const char* name = dwfl_module_getsym_info(module, i, &symbol, &address, nullptr, &elf, nullptr);
        if (name == nullptr || *name == '\0' || elf == main_elf) continue;
        const unsigned type = GELF_ST_TYPE(symbol.st_info);
        if (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE) continue;
        if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx == SHN_ABS || symbol.st_shndx == SHN_COMMON) continue;
        const std::uint64_t start = address - main_bias;
        const ElfSection* code = file.code_at(start);
        if (code == nullptr || symbol.st_size > code->size - (start - code->address)) continue;
        found.symbols_.push_back(FunctionSymbol{
            start, symbol.st_size, name, has_debug_file ? core::NameSource::kDebugFile : core::NameSource::kMiniDebug,
            type != STT_NOTYPE, GELF_ST_BIND(symbol.st_info) == STB_LOCAL});
    }
    return found;
}

}  // namespace tare::attribution
