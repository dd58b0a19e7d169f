// What the worker's process holds: resident memory, open descriptors. Read from /proc.
#pragma once

#include <cstdint>

namespace tare::worker {

/// VmRSS of this process; -1 where /proc cannot be read.
[[nodiscard]] std::int64_t resident_bytes();

/// True if `descriptor` is not open in this process.
[[nodiscard]] bool is_closed(int descriptor);

}  // namespace tare::worker
