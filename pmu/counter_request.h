// Counter requests from what they are made of: a role and the CPU's table, or an event's encoding. What is known
// beforehand not to count is said here, so that no false zero is ever measured. Pure.
#pragma once

#include <string>

#include "harness/core/counter.h"
#include "pmu/core_pmu.h"
#include "pmu/event_encoding.h"

namespace tare::pmu {

/// `kernel`: the kernel is counted, too. Not for kOther.
[[nodiscard]] core::CounterRequest request_of(core::CounterRole role, bool kernel, const CoreCpu& cpu);

/// Of the event that a user called `name`. The kernel's generic events keep the role that they mean, others kOther.
[[nodiscard]] core::CounterRequest request_of(std::string name, const EventEncoding& encoding, bool kernel,
                                              const CoreCpu& cpu);

}  // namespace tare::pmu
