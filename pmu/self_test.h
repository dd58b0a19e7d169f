// The self-test of counters: work of known size runs, and a counter that opens but does not read what happened is found
// (a virtual PMU that answers 0, an event that the core does not have). A few milliseconds, on the thread that counts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/core/counter.h"
#include "pmu/counter_set.h"

namespace tare::pmu {

/// Runs the known work under every pass and sets the outcome of each opened counter: kMeasured, or kSuspect with what
/// was read and what was expected.
void self_test(CounterSet& counters);

}  // namespace tare::pmu
