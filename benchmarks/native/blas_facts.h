// What the subject's BLAS says about itself, for a record's context. Calls only its getters.
#pragma once

#include <string>

#include "harness/core/value.h"

namespace tare::benchmarks {

/// A map: library, address, build_id, decoration, integer_bits, check; and where the library is OpenBLAS
/// version_config, core, threads, parallel ("none", "pthreads", "openmp"). What cannot be told is nil, with
/// `<key>_reason` beside it; where NumPy has no BLAS at all everything is nil with `reason`.
[[nodiscard]] core::Value blas_facts(const std::string& numpy_module_path);

}  // namespace tare::benchmarks
