// The cpp rungs: plain C++ loops over the same buffers, for reference only (NumPy's own kernels are the net).
// A straightforward loop as a C++ programmer would write it, compiled as all of tare (-O3, no -march).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/core/error.h"
#include "harness/core/native_request.h"

namespace tare::benchmarks {

/// Family `plain`: `request.routine` for the dtypes of `request.buffers`. Elementwise routines and reductions take
/// operands that are one run of memory (1-d of any stride, 0-d, contiguous n-d); matrix routines take 2-d ones of any
/// strides. Errors: no such routine, not for these dtypes, shapes that do not fit.
[[nodiscard]] core::Expected<core::NativeRung> make_plain(const core::NativeRequest& request);

/// The dtypes, inputs first, for which `routine` exists ("ddd", "fff"); empty if there is no such routine.
[[nodiscard]] std::vector<std::string> plain_dtypes(std::string_view routine);

}  // namespace tare::benchmarks
