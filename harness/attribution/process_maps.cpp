// A line is `start-end perms offset device inode path`; addresses in hexadecimal.
#include "harness/attribution/process_maps.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "harness/attribution/elf_file.h"

namespace tare::attribution {

namespace {

struct Mapping {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint64_t offset = 0;
    std::string path;
};

/// Nothing for a mapping that is not executable, or a line that is none.
std::optional<Mapping> executable_mapping(std::string_view line) {
    Mapping mapping;
    const char* const end = line.data() + line.size();
    auto at = std::from_chars(line.data(), end, mapping.start, 16);
    if (at.ec != std::errc() || at.ptr == end || *at.ptr != '-') return std::nullopt;
    at = std::from_chars(at.ptr + 1, end, mapping.end, 16);
    if (at.ec != std::errc() || end - at.ptr < 6 || at.ptr[3] != 'x') return std::nullopt;
    at = std::from_chars(at.ptr + 6, end, mapping.offset, 16);
    if (at.ec != std::errc() || mapping.end <= mapping.start) return std::nullopt;
    std::string_view rest(at.ptr, static_cast<std::size_t>(end - at.ptr));
    for (int field = 0; field < 2; ++field) {  // device, inode
        rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
        rest.remove_prefix(std::min(rest.find(' '), rest.size()));
    }
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    mapping.path = rest;
    return mapping;
}

}  // namespace

const ProcessMaps::File& ProcessMaps::file(const std::string& path) {
    const auto [place, fresh] = files_.try_emplace(path);
    if (!fresh) return place->second;
    const core::Expected<ElfFile> elf = ElfFile::open(path);
    if (!elf) return place->second;
    place->second.build_id = elf->build_id();
    for (const ElfSection& section : elf->sections())
        if (section.is_executable())
            if (const auto offset = elf->offset_of(section.address))
                place->second.code.push_back({section.address, *offset, section.size});
    return place->second;
}

std::vector<core::CodeModule> ProcessMaps::modules(std::string_view maps) {
    std::vector<core::CodeModule> modules;
    while (!maps.empty()) {
        const std::size_t length = std::min(maps.find('\n'), maps.size());
        std::optional<Mapping> mapping = executable_mapping(maps.substr(0, length));
        maps.remove_prefix(std::min(length + 1, maps.size()));
        if (!mapping || mapping->path == "[vsyscall]") continue;
        core::CodeModule module{.path = mapping->path,
                                .build_id = {},
                                .bias = mapping->start - mapping->offset,
                                .start = mapping->start,
                                .end = mapping->end};
        if (mapping->path.starts_with('/')) {
            const File& known = file(mapping->path);
            module.build_id = known.build_id;
            for (const CodeSection& section : known.code) {
                const bool inside = section.offset + section.size > mapping->offset &&
                                    section.offset < mapping->offset + (mapping->end - mapping->start);
                if (!inside) continue;
                module.bias = mapping->start - mapping->offset + section.offset - section.address;
                break;
            }
        } else if (mapping->path != "[vdso]") {
            module.path.clear();
        }
        modules.push_back(std::move(module));
    }
    std::sort(modules.begin(), modules.end(),
              [](const core::CodeModule& a, const core::CodeModule& b) { return a.start < b.start; });
    return modules;
}

}  // namespace tare::attribution
