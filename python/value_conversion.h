// Python objects to core::Value and back.
#pragma once

#include "harness/core/value.h"
#include "python/py.h"

namespace tare::python {

/// None, bool, int, float, str, bytes, list, tuple, dict with text keys; anything else becomes its str().
/// Integers beyond 64 bits become double. Throws py::error_already_set.
[[nodiscard]] core::Value to_value(const py::handle& object);

[[nodiscard]] py::object to_python(const core::Value& value);

}  // namespace tare::python
