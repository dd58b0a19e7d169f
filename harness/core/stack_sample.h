// StackSample: one thread at one moment, as a signal handler copied it: registers, the used part of its stack, and
// Python's frame chain. Raw: nothing is unwound or named yet. x86-64.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tare::core {

/// In DWARF's order: rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r8 to r15, rip.
using Registers = std::array<std::uint64_t, 17>;
inline constexpr std::size_t kStackPointer = 7;
inline constexpr std::size_t kInstructionPointer = 16;

/// One frame of CPython's chain, innermost first.
struct PythonFrame {
    std::uint64_t address = 0;  ///< of what lies inside the C frame of the eval loop that runs it: with `is_entry` the
                                ///< boundary's address (3.11: the _PyCFrame; 3.12 on: the shim frame; 0: it leaves
                                ///< none, before 3.11), else 0
    std::uint32_t code = 0;     ///< index into the code objects that were described (core/code_area.h)
    std::int32_t offset = 0;    ///< bytes from the start of its bytecode to the instruction that runs; -1: none yet
    bool is_entry = false;      ///< the outermost frame that this C frame of the eval loop runs
    bool operator==(const PythonFrame&) const = default;
};

/// Of one sample: more than the depth at which Python refuses to recurse unless a program asks for more. Of a deeper
/// chain the innermost are kept.
inline constexpr std::size_t kDefaultPythonFrames = 1200;

/// What became of the frame chain. Of one that cannot be read, for it was being changed at that moment, native frames
/// only are known.
enum class PythonChain : std::uint8_t {
    kNone,      ///< the thread runs no Python
    kWhole,     ///< to its outermost frame
    kCut,       ///< deeper than the limit; the innermost frames are there
    kNoThread,  ///< unreadable: the state of the thread, or of its eval loop
    kNoFrame,   ///< unreadable: what is linked is no frame, or the chain has no end
    kNoCode,    ///< unreadable: a frame without code, or with an instruction outside of it
    kNoLoop,    ///< unreadable: an eval loop does not lead to where the one further out had stopped
};
inline constexpr PythonChain kLastPythonChain = PythonChain::kNoLoop;

/// What the causes are called, in the order of the chain's kinds.
struct UnreadableCause {
    PythonChain chain;
    std::string_view name;
};
inline constexpr std::array kUnreadableCauses = {
    UnreadableCause{PythonChain::kNoThread, "thread"}, UnreadableCause{PythonChain::kNoFrame, "frame"},
    UnreadableCause{PythonChain::kNoCode, "code"}, UnreadableCause{PythonChain::kNoLoop, "loop"}};

/// What made a thread be sampled.
enum class SampleClock : std::uint8_t {
    kPmu,       ///< a PMU's cycles (or another of its events)
    kCpuClock,  ///< perf's software clock: time that the thread runs
    kTimer,     ///< a POSIX timer of the wall clock: also time that it waits
};

struct StackSample {
    std::int32_t process = 0;
    std::int32_t thread = 0;
    std::uint64_t time_ns = 0;    ///< CLOCK_MONOTONIC in the handler
    std::uint64_t weight_ns = 0;  ///< the time that it stands for: the period that elapsed; of a PMU's event the count
    bool in_kernel = false;       ///< the thread was in a system call or a page fault
    bool holds_gil = false;
    bool waits = false;  ///< it was not running when the sample was due
    PythonChain chain = PythonChain::kNone;
    Registers registers{};
    std::uint64_t stack_address = 0;  ///< of stack[0]; at or a little below the stack pointer (the red zone)
    bool stack_cut = false;           ///< there was more than was copied
    std::vector<std::byte> stack;
    std::vector<PythonFrame> python;
    bool operator==(const StackSample&) const = default;
};

}  // namespace tare::core
