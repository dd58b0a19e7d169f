// Rungs on the BLAS routine that the subject's NumPy itself calls, with the arguments that NumPy passes.
#pragma once

#include "harness/core/error.h"
#include "harness/core/native_request.h"

namespace tare::benchmarks {

/// Family `blas`; routines and options in native.h. dtypes f, d, F and D.
[[nodiscard]] core::Expected<core::NativeRung> make_blas(const core::NativeRequest& request);

}  // namespace tare::benchmarks
