// Reading loaded ELF objects: dynamic section, relocations, GOT slots, notes. Read-only; any thread.
#include "benchmarks/native/loaded_module.h"

#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

namespace tare::benchmarks {
namespace {

std::string_view base_name(std::string_view path) {
    const auto slash = path.rfind('/');
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::size_t symbol_index(const ElfW(Rela) & relocation) {
    if constexpr (sizeof(void*) == 8) return ELF64_R_SYM(relocation.r_info);
    return ELF32_R_SYM(relocation.r_info);
}

// The dynamic section as glibc leaves it: addresses already relocated. Other linkers leave the file's own addresses,
// which are smaller than the load address.
struct DynamicSection {
    const ElfW(Sym) * symbols = nullptr;
    const char* strings = nullptr;
    const ElfW(Rela) * tables[2] = {nullptr, nullptr};  // DT_RELA, DT_JMPREL
    std::size_t table_bytes[2] = {0, 0};
    bool uses_rela = true;
};

DynamicSection read_dynamic(const link_map& map) {
    DynamicSection section;
    const auto at = [&](ElfW(Addr) address) { return address < map.l_addr ? address + map.l_addr : address; };
    for (const ElfW(Dyn)* entry = map.l_ld; entry->d_tag != DT_NULL; ++entry) {
        switch (entry->d_tag) {
            case DT_SYMTAB:
                section.symbols = reinterpret_cast<const ElfW(Sym)*>(at(entry->d_un.d_ptr));
                break;
            case DT_STRTAB:
                section.strings = reinterpret_cast<const char*>(at(entry->d_un.d_ptr));
                break;
            case DT_RELA:
                section.tables[0] = reinterpret_cast<const ElfW(Rela)*>(at(entry->d_un.d_ptr));
                break;
            case DT_RELASZ:
                section.table_bytes[0] = entry->d_un.d_val;
                break;
            case DT_JMPREL:
                section.tables[1] = reinterpret_cast<const ElfW(Rela)*>(at(entry->d_un.d_ptr));
                break;
            case DT_PLTRELSZ:
                section.table_bytes[1] = entry->d_un.d_val;
                break;
            case DT_PLTREL:
                section.uses_rela = entry->d_un.d_val == DT_RELA;
                break;
            default:
                break;
        }
    }
    return section;
}

// Text in hex of the GNU build-id among the notes of one segment.
std::string build_id_in(const char* notes, std::size_t bytes) {
    const auto padded = [](std::size_t n) { return (n + 3) & ~std::size_t{3}; };
    std::size_t offset = 0;
    while (offset + sizeof(ElfW(Nhdr)) <= bytes) {
        ElfW(Nhdr) note;
        std::memcpy(&note, notes + offset, sizeof note);
        const char* name = notes + offset + sizeof note;
        const std::size_t size = sizeof note + padded(note.n_namesz) + padded(note.n_descsz);
        if (offset + size > bytes) break;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0) {
            std::string text;
            for (std::size_t i = 0; i < note.n_descsz; ++i)
                text += fmt::format("{:02x}", static_cast<unsigned char>(name[padded(note.n_namesz) + i]));
            return text;
        }
        offset += size;
    }
    return {};
}

struct BuildIdSearch {
    std::uintptr_t address;
    std::string found;
};

int visit_object(dl_phdr_info* object, std::size_t, void* data) {
    auto& search = *static_cast<BuildIdSearch*>(data);
    bool holds_address = false;
    for (int i = 0; i < object->dlpi_phnum; ++i) {
        const auto& segment = object->dlpi_phdr[i];
        const std::uintptr_t begin = object->dlpi_addr + segment.p_vaddr;
        if (segment.p_type == PT_LOAD && search.address >= begin && search.address < begin + segment.p_memsz)
            holds_address = true;
    }
    if (!holds_address) return 0;
    for (int i = 0; i < object->dlpi_phnum && search.found.empty(); ++i) {
        const auto& segment = object->dlpi_phdr[i];
        if (segment.p_type == PT_NOTE)
            search.found =
                build_id_in(reinterpret_cast<const char*>(object->dlpi_addr + segment.p_vaddr), segment.p_memsz);
    }
    return 1;
}

}  // namespace

CodeLocation locate(const void* address) {
    Dl_info info{};
    if (address == nullptr || dladdr(address, &info) == 0 || info.dli_fname == nullptr) return {};
    CodeLocation location;
    if (info.dli_sname != nullptr && info.dli_saddr == address) location.symbol = info.dli_sname;
    std::error_code failure;  // wheels load their BLAS by a path like a/../b
    const auto real = std::filesystem::canonical(info.dli_fname, failure);
    location.library = failure ? std::string(info.dli_fname) : real.string();
    const auto offset = reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(info.dli_fbase);
    location.address = fmt::format("{}+{:#x}", base_name(location.library), offset);
    return location;
}

std::string build_id_of(const void* address) {
    BuildIdSearch search{reinterpret_cast<std::uintptr_t>(address), {}};
    dl_iterate_phdr(visit_object, &search);
    return search.found;
}

core::Expected<LoadedModule> LoadedModule::find(const std::string& path) {
    if (path.empty())
        return core::fail(core::ErrorCode::kUsage, "no path of NumPy's _multiarray_umath was given",
                          "set the option numpy_module");
    void* handle = dlopen(path.c_str(), RTLD_NOLOAD | RTLD_LAZY);
    if (handle == nullptr) {
        const char* reason = dlerror();
        return core::fail(core::ErrorCode::kEnvironment,
                          fmt::format("'{}' is not loaded in this process{}{}", path, reason != nullptr ? ": " : "",
                                      reason != nullptr ? reason : ""),
                          "import numpy first, and name the file that it loaded");
    }
    LoadedModule module(handle, path);
    if (const auto read = module.read_relocations(); !read) return tl::unexpected(read.error());
    return module;
}

LoadedModule::LoadedModule(LoadedModule&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)),
      path_(std::move(other.path_)),
      base_(other.base_),
      relocations_(std::move(other.relocations_)) {}

LoadedModule::~LoadedModule() {
    if (handle_ != nullptr) dlclose(handle_);
}

core::Status LoadedModule::read_relocations() {
    link_map* map = nullptr;
    if (dlinfo(handle_, RTLD_DI_LINKMAP, &map) != 0)
        return core::fail(core::ErrorCode::kEnvironment, fmt::format("dlinfo fails on '{}': {}", path_, dlerror()));
    Dl_info info{};
    if (dladdr(map->l_ld, &info) != 0) base_ = info.dli_fbase;
    const DynamicSection section = read_dynamic(*map);
    if (section.symbols == nullptr || section.strings == nullptr || !section.uses_rela)
        return core::fail(core::ErrorCode::kEnvironment,
                          fmt::format("'{}' has no symbol table or no DT_RELA relocations to read", path_));
    for (const int table : {0, 1}) {
        if (section.tables[table] == nullptr) continue;
        const std::size_t count = section.table_bytes[table] / sizeof(ElfW(Rela));
        for (std::size_t i = 0; i < count; ++i) {
            const ElfW(Rela)& entry = section.tables[table][i];
            const std::size_t index = symbol_index(entry);
            if (index == 0) continue;
            const char* name = section.strings + section.symbols[index].st_name;
            relocations_.push_back({name, reinterpret_cast<const void* const*>(map->l_addr + entry.r_offset)});
        }
    }
    return {};
}

std::optional<const void*> LoadedModule::bound_address(const Relocation& relocation) const {
    const void* address = *relocation.slot;
    Dl_info info{};
    if (address == nullptr) return std::nullopt;
    if (dladdr(address, &info) != 0 && info.dli_fbase == base_) return std::nullopt;
    return address;
}

void* LoadedModule::symbol(const std::string& name) const {
    return dlsym(handle_, name.c_str());
}

std::string LoadedModule::stem() const {
    const std::string_view file = base_name(path_);
    return std::string(file.substr(0, file.find('.')));
}

}  // namespace tare::benchmarks
