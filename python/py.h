// The one header that includes Python.h and pybind11. Include it first: Python.h redefines feature-test macros.
// Everything declared by headers of this folder needs the GIL unless it says otherwise.
#pragma once

#include <pybind11/embed.h>
#include <pybind11/pybind11.h>

namespace tare::python {
namespace py = pybind11;
}  // namespace tare::python
