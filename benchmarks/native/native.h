// The rungs without Python: from a request (buffers, NumPy's inner loop, or a routine's name) to code that can be
// timed. The buffers belong to the requester, who keeps them alive as long as the rung. One rung runs in one thread at
// a time; making and running take no GIL: an inner loop is asked for only where it needs none (no object arrays).
#pragma once

#include "harness/core/error.h"
#include "harness/core/native_request.h"

namespace tare::benchmarks {

/// Answers a request of any family. One execution is one whole evaluation of the operation into its output buffers.
///
/// - `ufunc`: `request.loop` over inputs and outputs; options: `signature` ("dd->d"; checked against the buffers).
/// - `reduce`: `request.loop` folding an input into a 0-d output; options: `signature`, `identity` (an integer: the
/// value
///   the output starts from; "none": the input's first element; absent: as NumPy does for `request.routine`).
/// - `blas`: `dot` (x, y, out), `gemv` (A, x, out or x, A, out), `gemm` (A, B, out), `syrk` (A, out); options:
///   `numpy_module` (path of the loaded _multiarray_umath), `caller` ("matmul", the default, or "dot": which of NumPy's
///   two ways to BLAS is followed), `trans` ("1": syrk computes A.T @ A instead of A @ A.T).
/// - `plain`: reference C++ loops by routine name and the buffers' dtypes.
///
/// Errors name the routine, the dtype or the shape that has no rung and why; the case's other rungs go on without it.
[[nodiscard]] core::Expected<core::NativeRung> make_native(const core::NativeRequest& request);

/// The floor of native and cpp rungs: an empty function called through the same loop.
[[nodiscard]] core::NativeRung make_native_floor();

}  // namespace tare::benchmarks
