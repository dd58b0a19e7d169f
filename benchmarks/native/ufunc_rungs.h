// Rungs on NumPy's own inner loops: a ufunc's whole evaluation, and a reduction to one element.
// The loops must be ones that need no Python (no object arrays): they run without the GIL.
#pragma once

#include "harness/core/error.h"
#include "harness/core/native_request.h"

namespace tare::benchmarks {

/// Family `ufunc`: outputs define the shape, inputs broadcast to it; one loop call per run of memory.
[[nodiscard]] core::Expected<core::NativeRung> make_ufunc(const core::NativeRequest& request);

/// Family `reduce`: one input that is one run of memory, one 0-d output.
[[nodiscard]] core::Expected<core::NativeRung> make_reduce(const core::NativeRequest& request);

}  // namespace tare::benchmarks
