// What the tests of the unwinder need: samples of the calling thread at every instruction of
// a call (by the trap flag), and the frames that libgcc sees, to compare with.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "harness/core/stack_sample.h"

namespace tare::attribution {

struct SteppedCall {
    std::vector<core::StackSample> samples;  ///< one at each instruction, the first at that of the function called
    std::vector<std::uint64_t> callers;      ///< addresses of the frames around: what each sample's stack must end with
};

using Function = std::uint64_t (*)(std::uint64_t);

/// Calls function(argument) through a pointer; at most `most_samples`, of instructions in [first, end) (default: all).
[[nodiscard]] SteppedCall stepped(Function function, std::uint64_t argument, std::size_t most_samples = 4096,
                                  std::uint64_t first = 0, std::uint64_t end = ~std::uint64_t{0});

}  // namespace tare::attribution
