// Samples of code that really ran: at each instruction of profiled_outer, which calls profiled_inner twice.
#pragma once

#include <vector>

#include "harness/core/stack_sample.h"

namespace tare::attribution {

[[nodiscard]] std::vector<core::StackSample> samples_of_profiled_call();

}  // namespace tare::attribution
