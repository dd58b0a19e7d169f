// The modules of the process that calls, for tests of the unwinder.
#pragma once

#include <vector>

#include "harness/core/trace.h"

namespace tare::attribution {

/// As a worker reports them: executable mappings with their build-ids in memory, those without a file too.
[[nodiscard]] std::vector<core::CodeModule> own_modules();

}  // namespace tare::attribution
