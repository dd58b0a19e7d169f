// The symbol files that compilers in this process have registered for debuggers (GDB's JIT interface).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/core/error.h"
#include "harness/worker/own_memory.h"

namespace tare::worker {

/// Those in the list that `struct jit_descriptor` at `descriptor` heads. At most 4,096 entries and 64 MiB: a damaged or
/// endless list ends there; one that cannot be read is left out. Errors: kData where there is no descriptor of
/// version 1.
[[nodiscard]] core::Expected<std::vector<std::string>> jit_objects(std::uint64_t descriptor, OwnMemory& memory);

}  // namespace tare::worker
