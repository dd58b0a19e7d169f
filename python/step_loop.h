// The iterator that a statement's loop runs over when it is stepped: some passes at native speed, then one recorded.
#pragma once

#include <cstdint>

#include "harness/core/step_hooks.h"
#include "python/py.h"

namespace tare::python {

/// How many passes warm a loop up. Not the same for all placements: CPython's adaptive counters, which come round every
/// 16 to 64 executions, must not fire in the recorded pass of every one of them.
[[nodiscard]] int warm_up_passes(std::uint64_t seed);

/// An iterator of `warm_up` passes and one between `hooks.begin` and `hooks.end`: from its return into FOR_ITER to its
/// next call. Where each of the first three passes takes more than 1 ms, these warm it up. `alone`: it gives one item
/// and then none for each of these, as the clock of a statement that is timed alone does, until its attribute `done` is
/// true; what is done before each is no part of a pass. Throws py::error_already_set.
[[nodiscard]] py::object make_step_passes(const core::StepHooks& hooks, int warm_up, bool alone = false);

}  // namespace tare::python
