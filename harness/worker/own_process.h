// What the worker's process holds: resident memory, open descriptors, mapped files. Read from /proc.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tare::worker {

/// VmRSS of this process; -1 where /proc cannot be read.
[[nodiscard]] std::int64_t resident_bytes();

struct MappedFiles {
    std::vector<std::string> all;
    std::vector<std::string> code;  ///< of these the ones with code to execute
};

/// Absolute paths of the regular files that are mapped into this process now, each once, sorted. A file that was
/// deleted or replaced since is not among them. Empty where /proc cannot be read.
[[nodiscard]] MappedFiles mapped_files();

/// /tmp/perf-<pid>.map, where compilers that write for perf name their code; at most its first 64 MiB. Empty where
/// there is none, or where it is another user's.
[[nodiscard]] std::string own_perf_map();

/// True if `descriptor` is not open in this process.
[[nodiscard]] bool is_closed(int descriptor);

}  // namespace tare::worker
