// Python exceptions as Error values: type, message, and where in the case's own code it was raised.
#pragma once

#include "harness/core/error.h"
#include "python/py.h"

namespace tare::python {

/// Takes the exception that is set in this thread, clears it and returns it as kCaseFailed:
/// "ZeroDivisionError: division by zero (at <statement>, line 3)".
[[nodiscard]] core::Error take_error();

/// The same for an exception that pybind11 has caught.
[[nodiscard]] core::Error error_of(py::error_already_set& caught);

/// Runs `f`; what Python raises in it becomes an Error. For every entry into Python from C++.
template <class F>
auto guarded(F&& f) -> core::Expected<decltype(f())> {
    try {
        if constexpr (std::is_void_v<decltype(f())>) {
            f();
            return {};
        } else {
            return f();
        }
    } catch (py::error_already_set& caught) {
        return tl::unexpected<core::Error>(error_of(caught));
    } catch (const std::exception& caught) {
        return core::fail(core::ErrorCode::kCaseFailed, caught.what());
    }
}

}  // namespace tare::python
