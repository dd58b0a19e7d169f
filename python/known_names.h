// What Python's own tables call a machine function: the names that are left when a library has been stripped.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/core/trace.h"
#include "python/py.h"

namespace tare::python {

/// Names of those of `addresses` (sorted, distinct) that are the start of a function in a table of this interpreter:
/// ufunc loops (`add[dd->d]`), slots, methods and attributes of all types (`float.nb_add`, `ndarray.sum`), functions of
/// modules (`numpy.dot`), and the entries of vectorcall. By address. One that several tables hold is called by the
/// first in that order, types before those that inherit from them. Clears any exception. Costs tens of milliseconds.
[[nodiscard]] std::vector<core::PythonName> known_names(const std::vector<std::uint64_t>& addresses);

}  // namespace tare::python
