// /proc/self/maps says what is executable and of which file; dl_iterate_phdr where its addresses count from, and where
// its notes are.
#include "harness/worker/code_map.h"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <string_view>

#include "harness/measure/elf_build_id.h"

namespace tare::worker {

namespace {

struct Segment {
    std::uint64_t start = 0;
    std::uint64_t size = 0;
    std::uint64_t alignment = 0;
};

struct LoadedObject {
    std::uint64_t bias = 0;
    std::vector<Segment> code;
    std::vector<Segment> notes;
};

std::vector<LoadedObject> loaded_objects() {
    std::vector<LoadedObject> objects;
    const auto add = [](dl_phdr_info* info, std::size_t, void* all) {
        LoadedObject object;
        object.bias = info->dlpi_addr;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
            const ElfW(Phdr)& header = info->dlpi_phdr[i];
            const Segment segment{info->dlpi_addr + header.p_vaddr, header.p_memsz, header.p_align};
            if (header.p_type == PT_LOAD && (header.p_flags & PF_X) != 0) object.code.push_back(segment);
            if (header.p_type == PT_NOTE) object.notes.push_back(segment);
        }
        static_cast<std::vector<LoadedObject>*>(all)->push_back(std::move(object));
        return 0;
    };
    dl_iterate_phdr(add, &objects);
    return objects;
}

std::string build_id_of(const LoadedObject& object, OwnMemory& memory) {
    for (const Segment& notes : object.notes) {
        const core::Expected<std::string> id =
            measure::build_id_in_notes(memory.read(notes.start, notes.size), notes.alignment);
        if (id && !id->empty()) return *id;
    }
    return {};
}

struct Mapping {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint64_t offset = 0;  ///< in the file
    std::string path;
};

/// One line: `start-end perms offset device inode path`, the path after spaces to its end. Nothing for a mapping that
/// is not executable.
std::optional<Mapping> executable_mapping(std::string_view line) {
    Mapping mapping;
    const char* const end = line.data() + line.size();
    auto at = std::from_chars(line.data(), end, mapping.start, 16);
    if (at.ec != std::errc() || at.ptr == end) return std::nullopt;
    at = std::from_chars(at.ptr + 1, end, mapping.end, 16);
    if (at.ec != std::errc() || end - at.ptr < 6 || at.ptr[3] != 'x') return std::nullopt;
    at = std::from_chars(at.ptr + 6, end, mapping.offset, 16);
    if (at.ec != std::errc()) return std::nullopt;
    std::string_view rest(at.ptr, static_cast<std::size_t>(end - at.ptr));
    for (int field = 0; field < 2; ++field) {  // device, inode
        rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
        rest.remove_prefix(std::min(rest.find(' '), rest.size()));
    }
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    mapping.path = rest;
    return mapping;
}

core::CodeModule module_of(Mapping mapping, const std::vector<LoadedObject>& objects, OwnMemory& memory) {
    core::CodeModule module{.path = std::move(mapping.path),
                            .build_id = {},
                            .bias = mapping.start - mapping.offset,  // of a file that nobody has relocated
                            .start = mapping.start,
                            .end = mapping.end};
    for (const LoadedObject& object : objects)
        for (const Segment& code : object.code)
            if (code.start < mapping.end && mapping.start < code.start + code.size) {
                module.bias = object.bias;
                module.build_id = build_id_of(object, memory);
                return module;
            }
    return module;
}

}  // namespace

std::vector<core::CodeModule> loaded_code(const std::vector<std::uint64_t>& addresses, OwnMemory& memory) {
    const std::vector<LoadedObject> objects = loaded_objects();
    std::vector<core::CodeModule> modules;
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        std::optional<Mapping> mapping = executable_mapping(line);
        if (!mapping) continue;
        const bool of_file = mapping->path.starts_with('/') || mapping->path == "[vdso]";
        if (!of_file) {
            const auto first = std::lower_bound(addresses.begin(), addresses.end(), mapping->start);
            if (first == addresses.end() || *first >= mapping->end) continue;
            mapping->path.clear();
        }
        modules.push_back(module_of(*std::move(mapping), objects, memory));
    }
    std::sort(modules.begin(), modules.end(),
              [](const core::CodeModule& a, const core::CodeModule& b) { return a.start < b.start; });
    return modules;
}

std::vector<core::CodeBytes> code_at(const std::vector<std::uint64_t>& addresses, OwnMemory& memory) {
    std::vector<core::CodeBytes> code;
    code.reserve(addresses.size());
    for (const std::uint64_t address : addresses) {
        core::CodeBytes bytes{.address = address};
        const std::string found = memory.read(address, bytes.bytes.size());
        bytes.length = static_cast<std::uint8_t>(found.size());
        std::copy(found.begin(), found.end(), bytes.bytes.begin());
        code.push_back(bytes);
    }
    return code;
}

}  // namespace tare::worker
