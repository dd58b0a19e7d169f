// The clock of statements that are timed alone: what stands in a loop over it is one execution, whatever was done
// before it in the same pass. Wall time is read last before the execution and first after it.
#pragma once

#include <cstdint>

#include "python/py.h"

namespace tare::python {

/// Of the executions since the last reset. Nanoseconds.
struct ExecutionTimes {
    std::int64_t wall_ns = 0;
    std::int64_t cpu_ns = 0;  ///< of executions that follow one of less than 20 us their wall time
};

/// An iterator that gives one item and then none, again and again. Throws py::error_already_set.
[[nodiscard]] py::object make_execution_clock();

// `clock`: what make_execution_clock() returned.
void reset(const py::object& clock);
[[nodiscard]] ExecutionTimes times_of(const py::object& clock);

}  // namespace tare::python
