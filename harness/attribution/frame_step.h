// Frame step: from one frame's registers to its caller's, by a rule. Pure but for the memory it reads.
#pragma once

#include <cstdint>

#include "harness/attribution/frame_rule.h"
#include "harness/attribution/stack_memory.h"

namespace tare::attribution {

struct FrameRegisters {
    core::Registers values{};
    std::uint32_t known = (1U << kRegisters) - 1;  ///< a bit for each of `values`
    bool after_call = false;                       ///< the instruction pointer is a return address

    [[nodiscard]] bool knows(std::size_t number) const { return (known >> number & 1) != 0; }
    void set(std::size_t number, std::uint64_t value) {
        values[number] = value;
        known |= 1U << number;
    }
    [[nodiscard]] std::uint64_t stack_pointer() const { return values[core::kStackPointer]; }
    /// Of the instruction that runs: a return address belongs to the call before it.
    [[nodiscard]] std::uint64_t address() const { return values[core::kInstructionPointer] - (after_call ? 1 : 0); }
};

enum class StepEnd {
    kCaller,  ///< `caller` is filled in
    kEntry,   ///< the rule says that nobody called
    kCut,     ///< what it needs lies beyond the copied stack
    kLost,    ///< what it needs is unknown, or the stack would not shrink
};

[[nodiscard]] StepEnd step(const FrameRule& rule, const FrameRegisters& frame, const StackMemory& memory,
                           FrameRegisters& caller);

}  // namespace tare::attribution
