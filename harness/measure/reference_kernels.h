// The pieces of work whose time says how much of the core is ours (core/references.h). Instructions, data and their
// places are fixed: neither the compiler nor what is measured moves them. They touch three lines of the first-level
// cache and a page of code, so that they can stand beside a batch.
#pragma once

#include <cstdint>

#include "harness/core/references.h"

namespace tare::measure {

/// Runs each kernel once, 5 us together, after a few rounds that bring its lines back. Where there are none (another
/// architecture than x86-64) all are 0.
[[nodiscard]] core::References time_references();

/// Of what the kernels and pmu::kChainCycles took, all above 0. Pure.
[[nodiscard]] core::References references_of(double chain_ns, double l1_ns, double alu_ns);

/// Repeats the loads and stores until they take no more than `l1_limit_cycles`, but no longer than `patience_ns`; how
/// long that took. Returns at once without a limit or patience.
std::int64_t await_quiet(double l1_limit_cycles, std::int64_t patience_ns);

}  // namespace tare::measure
