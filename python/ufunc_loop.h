// NumPy's own inner loops: functions[i] and data[i] of a live ufunc object.
#pragma once

#include <string>

#include "harness/core/error.h"
#include "harness/core/native_request.h"
#include "python/py.h"

namespace tare::python {

/// The loop of `ufunc` whose entry in `ufunc.types` is `signature` ("dd->d"). Errors: no such loop; an object layout
/// that does not match what the ufunc says of itself (then this NumPy has changed its public struct).
[[nodiscard]] core::Expected<core::InnerLoop> ufunc_inner_loop(const py::handle& ufunc, const std::string& signature);

}  // namespace tare::python
