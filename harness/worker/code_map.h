// The code of this process: which files are loaded where, and the bytes of instructions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/core/trace.h"
#include "harness/worker/own_memory.h"

namespace tare::worker {

/// All executable mappings of files and the [vdso], and those without a file in which one of `addresses` lies; by
/// start. Paths are those of /proc/self/maps: a file that is gone ends in " (deleted)". `addresses` are sorted.
[[nodiscard]] std::vector<core::CodeModule> loaded_code(const std::vector<std::uint64_t>& addresses, OwnMemory& memory);

/// The bytes at each of `addresses`, up to the length of the longest instruction.
[[nodiscard]] std::vector<core::CodeBytes> code_at(const std::vector<std::uint64_t>& addresses, OwnMemory& memory);

}  // namespace tare::worker
