// Times at one clock: what a visit's batches would have taken had the core run at another rate. What a statement
// computes takes so many cycles; what it waits takes so many nanoseconds. Pure.
#pragma once

#include "harness/core/visit.h"

namespace tare::stats {

/// The part of a time that its thread computed, 0 to 1; 1 where the time says nothing.
[[nodiscard]] double computed_ratio(double cpu_ns, double wall_ns);

/// What times at one clock are to be multiplied by to be those at another: 1 + computed_ratio (own_ghz / at_ghz - 1),
/// where the ratio is the part of the statement's time that its thread computed, as the kernel's clock of its CPU time
/// has it. 1 where the clocks are not near (core/references.h).
[[nodiscard]] double clock_factor(double own_ghz, double at_ghz, double computed_ratio);

/// The visit with its times and floors at that clock; `clock_ghz` stays what it was.
[[nodiscard]] core::Visit at_clock(core::Visit visit, double at_ghz);

}  // namespace tare::stats
