// smaps_rollup (Linux 4.14) and status.
#include "harness/gbench/process_memory.h"

#include <fmt/format.h>

#include <fstream>
#include <map>
#include <optional>
#include <string>

namespace tare::gbench {

namespace {

constexpr std::int64_t kKibibyte = 1024;

/// Lines `Name:   123 kB` as bytes by name.
std::map<std::string, std::int64_t> fields_of(const std::string& path) {
    std::map<std::string, std::int64_t> fields;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(':');
        if (colon == std::string::npos || !line.ends_with(" kB")) continue;
        fields[line.substr(0, colon)] = kKibibyte * std::strtoll(line.c_str() + colon + 1, nullptr, 10);
    }
    return fields;
}

}  // namespace

core::Expected<ProcessMemory> memory_of(pid_t pid) {
    const std::string path = fmt::format("/proc/{}/smaps_rollup", pid);
    auto fields = fields_of(path);
    if (!fields.contains("Rss")) return core::fail(core::ErrorCode::kEnvironment, fmt::format("cannot read {}", path));
    return ProcessMemory{.resident_bytes = fields["Rss"],
                         .private_bytes = fields["Private_Clean"] + fields["Private_Dirty"]};
}

std::int64_t peak_resident_bytes(pid_t pid) {
    return fields_of(fmt::format("/proc/{}/status", pid))["VmHWM"];
}

}  // namespace tare::gbench
