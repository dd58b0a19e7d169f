// Names of system calls by their numbers on x86-64 Linux: those that numerical programs make. Pure.
#pragma once

#include <cstdint>
#include <string>

namespace tare::record {

/// "munmap"; "syscall 321" for one that is not in the list.
[[nodiscard]] std::string system_call_name(std::int64_t number);

}  // namespace tare::record
