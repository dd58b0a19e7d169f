// NumPy's own inner loops: functions[i] and data[i] of a live ufunc object.
#pragma once

#include <string>
#include <vector>

#include "harness/core/error.h"
#include "harness/core/native_request.h"
#include "python/py.h"

namespace tare::python {

/// The loop of `ufunc` whose entry in `ufunc.types` is `signature` ("dd->d"). Errors: no such loop; an object layout
/// that does not match what the ufunc says of itself (then this NumPy has changed its public struct).
[[nodiscard]] core::Expected<core::InnerLoop> ufunc_inner_loop(const py::handle& ufunc, const std::string& signature);

struct UfuncLoop {
    std::string types;  ///< "dd->d"
    const void* function = nullptr;
};

/// All loops of `ufunc`; none where its layout is not that of NumPy 1.22 to 2.4. Throws py::error_already_set.
[[nodiscard]] std::vector<UfuncLoop> ufunc_loops(const py::handle& ufunc);

}  // namespace tare::python
