// /proc/self/maps says what is executable, dl_iterate_phdr where its addresses count from and where its build-id is.
#include "harness/attribution/own_modules_for_test.h"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

namespace tare::attribution {

namespace {

std::string build_id_in(const char* notes, std::size_t size) {
    for (std::size_t at = 0; at + sizeof(Elf64_Nhdr) <= size;) {
        Elf64_Nhdr note;
        std::memcpy(&note, notes + at, sizeof note);
        const std::size_t name = at + sizeof note;
        const std::size_t data = name + (std::size_t{note.n_namesz} + 3) / 4 * 4;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(notes + name, "GNU", 4) == 0) {
            std::string id;
            for (std::size_t i = 0; i < note.n_descsz; ++i) {
                constexpr const char* kDigits = "0123456789abcdef";
                const auto byte = static_cast<unsigned char>(notes[data + i]);
                id += {kDigits[byte >> 4], kDigits[byte & 15]};
            }
            return id;
        }
        at = data + (std::size_t{note.n_descsz} + 3) / 4 * 4;
    }
    return {};
}

struct Loaded {
    std::uint64_t bias = 0;
    std::uint64_t start = 0;  ///< of the object: its executable segments may be several
    std::uint64_t end = 0;
    std::string build_id;
};

int add_loaded(dl_phdr_info* info, std::size_t, void* all) {
    Loaded loaded{info->dlpi_addr, ~std::uint64_t{0}, 0, ""};
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)& header = info->dlpi_phdr[i];
        const std::uint64_t address = info->dlpi_addr + header.p_vaddr;
        if (header.p_type == PT_NOTE && loaded.build_id.empty())
            loaded.build_id = build_id_in(reinterpret_cast<const char*>(address), header.p_memsz);
        if (header.p_type != PT_LOAD) continue;
        loaded.start = std::min(loaded.start, address);
        loaded.end = std::max(loaded.end, address + header.p_memsz);
    }
    static_cast<std::vector<Loaded>*>(all)->push_back(loaded);
    return 0;
}

}  // namespace

std::vector<core::CodeModule> own_modules() {
    std::vector<Loaded> objects;
    dl_iterate_phdr(add_loaded, &objects);
    std::vector<core::CodeModule> modules;
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        std::istringstream fields(line);
        core::CodeModule module;
        char dash = 0;
        std::string mode, skipped;
        fields >> std::hex >> module.start >> dash >> module.end >> mode >> skipped >> skipped >> skipped >> std::ws;
        std::getline(fields, module.path);
        if (mode.find('x') == std::string::npos || module.path == "[vsyscall]") continue;
        for (const Loaded& loaded : objects) {
            if (loaded.start >= module.end || loaded.end <= module.start) continue;
            module.bias = loaded.bias;
            module.build_id = loaded.build_id;
        }
        modules.push_back(std::move(module));
    }
    return modules;
}

}  // namespace tare::attribution
