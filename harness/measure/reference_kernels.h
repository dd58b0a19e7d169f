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

struct Awaited {
    core::References references;  ///< the last that were taken
    std::int64_t waited_ns = 0;   ///< 0 where the first would do
};

/// Takes the references, again and again until the loads take no more than `l1_limit_cycles`, but no longer than
/// `patience_ns`; once without a limit or patience.
[[nodiscard]] Awaited await_quiet(double l1_limit_cycles, std::int64_t patience_ns);

}  // namespace tare::measure
