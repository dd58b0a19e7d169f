// What memory a process takes, as the kernel accounts for it. Bytes. Read from /proc.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "harness/core/error.h"

namespace tare::gbench {

struct ProcessMemory {
    std::int64_t resident_bytes = 0;  ///< pages of it in memory, shared ones included (Rss)
    std::int64_t private_bytes = 0;   ///< of those, the ones that no other process maps
};

/// Of a living process, from smaps_rollup. Errors: kEnvironment where it cannot be read.
[[nodiscard]] core::Expected<ProcessMemory> memory_of(pid_t pid);

/// The most that was resident since the process began or called execve (VmHWM); 0 once it is gone.
[[nodiscard]] std::int64_t peak_resident_bytes(pid_t pid);

}  // namespace tare::gbench
