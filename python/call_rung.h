// The call rung: the outermost call of a statement through the C API, without bytecode; and the empty callable of the
// same arity whose cost is the floor of that loop. Results are dropped. Runs with the GIL held.
#pragma once

#include <memory>

#include "harness/core/batch_entry.h"
#include "python/py.h"

namespace tare::python {

struct CallRung {
    core::BatchEntry entry;
    core::BatchEntry floor;
    std::shared_ptr<void> state;  ///< owns what both entries point to
};

/// `call` is a tuple as made by the Python package: ("binary", "add", x, y), ("unary", "negative", x),
/// ("inplace", "add", x, y), ("compare", "<", x, y), ("getitem", x, key), ("setitem", x, key, value),
/// ("getattr", x, name), ("vectorcall", callable, args, kwargs), ("method", object, name, args, kwargs).
/// Throws std::invalid_argument for another.
[[nodiscard]] CallRung make_call_rung(const py::tuple& call);

}  // namespace tare::python
