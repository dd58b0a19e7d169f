// CallTree: who called whom, and how many instructions each executed itself, from the recorded steps of one execution.
// A shadow stack follows calls, returns and the stack pointer: no unwind information is needed. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "harness/attribution/instruction.h"
#include "harness/core/trace.h"

namespace tare::attribution {

/// What the tree needs to know of the function at an address. Two addresses are in one function if `id` is equal.
struct TreeFunction {
    std::uint32_t id = 0;
    std::uint64_t start = 0;  ///< of its code; an address that is not its start when nothing is known
    bool named = false;
    bool is_stub = false;      ///< a PLT entry
    bool runs_python = false;  ///< the interpreter's loop
};
using FunctionFinder = std::function<TreeFunction(std::uint64_t address)>;

struct CallNode {
    std::int32_t parent = -1;    ///< index into the nodes; -1: none
    std::uint32_t function = 0;  ///< TreeFunction::id
    std::uint64_t calls = 0;     ///< 0 for a frame that was open when stepping began
    std::uint64_t self = 0;      ///< instructions; a `rep` instruction counts once
    std::int32_t python = -1;  ///< the Python function that this frame runs; -1: none, or the one its caller is within
    bool operator==(const CallNode&) const = default;
};

/// The first two integer arguments of a call, at the function's first instruction.
struct CallArguments {
    std::uint32_t function = 0;
    std::uint32_t caller = 0;  ///< function of the parent node; the function's own id if it has none
    std::uint64_t argument1 = 0;
    std::uint64_t argument2 = 0;
    bool operator==(const CallArguments&) const = default;
};

struct CallTree {
    std::vector<CallNode> nodes;       ///< parents before their children; one node for all calls on one path
    std::vector<CallArguments> calls;  ///< in the order executed
    std::uint64_t total = 0;           ///< instructions
    /// Of Python functions by source line: instructions executed there and in what is called from there without another
    /// Python function. [function, line].
    std::map<std::pair<std::int32_t, std::int32_t>, std::uint64_t> lines;

    bool operator==(const CallTree&) const = default;
};

/// - A jump to another function's first instruction with the stack as at the caller's entry is a tail call: a child of
///   the function that jumps. A tail call out of a tail-called function stands beside it, so that interpreters made of
///   tail calls do not nest without end.
/// - What a PLT entry jumps to is called by the entry's caller.
/// - Other code that a function jumps to (its cold part) counts as the function's own.
/// - A frame of the interpreter's loop is one node for each Python function that it runs; those that it calls without
///   another frame of the loop are below it. The Python frame that runs first is the harness's own, and none.
/// `python_functions`: what each of trace.python_codes is called in the tree.
[[nodiscard]] CallTree build_call_tree(const core::Trace& trace, const Instructions& instructions,
                                       const FunctionFinder& function_at,
                                       const std::vector<std::int32_t>& python_functions = {});

/// `tree` without what `floor` has on the same paths. What `floor` has beyond that stays out, and is counted.
struct Difference {
    CallTree tree;
    std::uint64_t unmatched = 0;  ///< instructions of `floor` on paths where `tree` has fewer
};
[[nodiscard]] Difference without_floor(const CallTree& tree, const CallTree& floor);

}  // namespace tare::attribution
