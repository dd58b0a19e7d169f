// What one instruction does to the flow of control, decoded once for each distinct one. Pure.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "harness/core/trace.h"

namespace tare::attribution {

enum class Flow { kNext, kCall, kReturn, kJump, kSystemCall };  ///< kJump: conditional ones too

struct Instruction {
    std::uint8_t length = 1;  ///< bytes
    Flow flow = Flow::kNext;
    bool repeats = false;  ///< a string instruction with a rep prefix: it traps once an iteration
    bool operator==(const Instruction&) const = default;
};

using Instructions = std::unordered_map<std::uint64_t, Instruction>;

/// By address. Bytes that are no instruction (or were cut off) read as one of their length that flows on.
[[nodiscard]] Instructions decode(const std::vector<core::CodeBytes>& code);

}  // namespace tare::attribution
