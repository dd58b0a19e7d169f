// Preemption: whether other programs ran in place of a thread. Its wall time then holds theirs; its CPU time does not.
// A neighbour on the same CPU does that to every batch longer than a time slice, and no reference beside it sees it.
#pragma once

#include <cstdint>

#include "harness/core/visit.h"

namespace tare::measure {

/// How often the calling thread lost its CPU since it began.
struct Switches {
    std::int64_t waits = 0;        ///< it gave it up until something happens
    std::int64_t preemptions = 0;  ///< it could have gone on
};

/// CPU time since the process began, nanoseconds.
struct CpuUse {
    std::int64_t thread_ns = 0;   ///< of the calling thread
    std::int64_t process_ns = 0;  ///< of all threads, and of children that were waited for
};

// System calls of 0.3 and 1.6 us: never inside a timed region.
[[nodiscard]] Switches switches_now();
[[nodiscard]] CpuUse cpu_use_now();

/// Whether the thread lost its CPU to others in between, and did not wait for anything. Where besides no other thread
/// of the process computed, its CPU time says what its work took, and wall time does not. Pure.
[[nodiscard]] bool was_preempted(const Switches& before, const Switches& after);
/// Whether another thread of the process computed in between, or a child that has ended. Pure.
[[nodiscard]] bool others_computed(const CpuUse& before, const CpuUse& after);

/// Of a batch that was preempted: whether its wall time holds that of other programs, and its CPU time is what it took.
/// Not where other threads of the process computed: their work is the statement's, and in no CPU time of this one.
/// Pure.
[[nodiscard]] bool held_others(const core::Sample& sample, bool others_computed);

}  // namespace tare::measure
