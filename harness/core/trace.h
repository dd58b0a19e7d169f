// Trace: every instruction that one execution of a statement ran, as a worker recorded it under the trap flag, with
// what `bench` needs to give the addresses a meaning. Raw: nothing is named or counted yet. x86-64, System V calling
// convention.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/core/error.h"
#include "harness/core/value.h"

namespace tare::core {

/// One instruction about to be executed, and the registers that tell frames and arguments apart.
struct Step {
    std::uint64_t address = 0;
    std::uint64_t stack_pointer = 0;
    std::uint64_t argument1 = 0;  ///< RDI: of a function's first instruction, its first integer argument
    std::uint64_t argument2 = 0;  ///< RSI: the second
    bool operator==(const Step&) const = default;
};

/// The same address trapped again, directly after step `step`: an iteration of a `rep` instruction, or a jump to
/// itself.
struct Repeat {
    std::uint32_t step = 0;
    std::uint32_t times = 0;  ///< traps beyond the first
    bool operator==(const Repeat&) const = default;
};

struct SystemCall {
    std::uint32_t step = 0;   ///< that of the `syscall` instruction
    std::int64_t number = 0;  ///< RAX before it
    bool operator==(const SystemCall&) const = default;
};

/// From step `step` on, until the next of these, this Python frame runs.
struct PythonStep {
    std::uint64_t frame = 0;  ///< its address: tells activations of one function apart
    std::uint32_t step = 0;
    std::uint32_t code = 0;  ///< index into Trace::python_codes
    std::int32_t line = 0;   ///< of its source file; 0: the code says none. As recorded the byte offset of the bytecode
    std::uint32_t unused = 0;
    bool operator==(const PythonStep&) const = default;
};

/// A Python function that was run.
struct PythonFunction {
    std::string file;
    std::string name;  ///< qualified
    int first_line = 0;
    bool operator==(const PythonFunction&) const = default;
    auto operator<=>(const PythonFunction&) const = default;
};

/// The bytes of one distinct instruction (up to 15, fewer where a mapping ends).
struct CodeBytes {
    std::uint64_t address = 0;
    std::uint8_t length = 0;  ///< how many of `bytes` were readable
    std::array<std::uint8_t, 15> bytes{};
    bool operator==(const CodeBytes&) const = default;
};

/// A file loaded as code.
struct CodeModule {
    std::string path;         ///< absolute; "[vdso]", or empty for memory without a file (compiled at run time)
    std::string build_id;     ///< hex, read from memory; empty if it has none
    std::uint64_t bias = 0;   ///< address = bias + address in the ELF file
    std::uint64_t start = 0;  ///< of the executable range
    std::uint64_t end = 0;    ///< past it
    bool operator==(const CodeModule&) const = default;
};

/// A function's start and what Python's own tables call it: `ndarray.sum`, `float.nb_add`, `add[dd->d]`.
struct PythonName {
    std::uint64_t address = 0;
    std::string name;
    bool operator==(const PythonName&) const = default;
};

/// Why a statement could not be stepped to its end.
enum class Refusal {
    kNone,
    kTooLong,       ///< more instructions than the limit
    kThread,        ///< it starts a thread
    kProcess,       ///< it starts a process
    kProgram,       ///< it replaces the program (execve)
    kBlocksTrap,    ///< it blocks SIGTRAP
    kReplacesTrap,  ///< it sets another handler of SIGTRAP
    kRaised,        ///< it raised an exception
};

struct Trace {
    std::vector<Step> steps;               ///< consecutive traps at one address are one step; see `repeats`
    std::vector<Repeat> repeats;           ///< by step
    std::vector<SystemCall> system_calls;  ///< by step
    std::vector<PythonStep> python;        ///< by step; none where the interpreter's frames cannot be read
    std::vector<PythonFunction> python_codes;
    std::string python_problem;       ///< why Python's frames are not known; empty: they are
    std::vector<CodeBytes> code;      ///< distinct, by address
    std::vector<CodeModule> modules;  ///< all executable ranges of files, by start; and those of no file stepped in
    std::vector<PythonName> python_names;  ///< of functions whose first instruction was stepped
    bool randomized_addresses = false;     ///< `personality` was refused: address randomisation stayed on
    double wall_ns = 0;                    ///< of the stepping
    Refusal refusal = Refusal::kNone;
    std::string refusal_detail;  ///< the exception's text; may be empty

    bool operator==(const Trace&) const = default;
};

/// As a message: arrays of numbers are packed, little-endian, into texts.
[[nodiscard]] Value to_value(const Trace& trace);
/// Errors: kData for a message that is none, or whose indices point nowhere. Comes from a process that runs foreign
/// code.
[[nodiscard]] Expected<Trace> trace_from(const Value& value);

}  // namespace tare::core
