// Ledger: the exact account of the instructions that one execution of a statement runs, net of the harness's loop:
// by function, call path, layer and module, over several memory layouts. Values only; harness/attribution makes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/error.h"

namespace tare::core {

/// Counts over the layouts. `value` is that of the layout with the fewest instructions in all: the one that functions,
/// layers and the call tree describe, so that their values add up.
struct Count {
    std::uint64_t value = 0;
    std::uint64_t lowest = 0;
    std::uint64_t highest = 0;
    bool operator==(const Count&) const = default;
};

/// Where a function's name is from, best first.
enum class NameSource {
    kSymbols,         ///< .symtab of the file itself
    kDebugFile,       ///< .symtab of its separate debug file, found by build-id, or by debuginfod
    kMiniDebug,       ///< .gnu_debugdata
    kDynamicSymbols,  ///< .dynsym, within the symbol's size
    kStub,            ///< a PLT entry, by its relocation: `malloc@plt`
    kPython,          ///< Python's own tables
    kJit,             ///< compiled at run time: GDB's JIT interface or a perf map
    kFrameEntry,      ///< no name: the function's start is known from .eh_frame
    kNone,            ///< no name, and where the function starts is unknown
};

[[nodiscard]] constexpr bool is_name(NameSource source) {
    return source < NameSource::kFrameEntry;
}

[[nodiscard]] constexpr std::string_view name_of(NameSource source) {
    switch (source) {
        case NameSource::kSymbols:
            return "symtab";
        case NameSource::kDebugFile:
            return "debug_file";
        case NameSource::kMiniDebug:
            return "gnu_debugdata";
        case NameSource::kDynamicSymbols:
            return "dynsym";
        case NameSource::kStub:
            return "stub";
        case NameSource::kPython:
            return "python";
        case NameSource::kJit:
            return "jit";
        case NameSource::kFrameEntry:
            return "eh_frame";
        case NameSource::kNone:
            return "none";
    }
    return "?";
}

/// What a function of a BLAS library is, as its name says.
struct BlasFamily {
    std::string role;           ///< interface, driver, packing, kernel, other
    std::string precision;      ///< s, d, c, z
    std::string routine;        ///< gemm, syrk, gemv, dot
    std::string transposition;  ///< nn, tn, LT; empty where none shows
    std::string core;           ///< HASWELL, SKYLAKEX; empty where none shows
    bool small_matrix = false;  ///< of the kernels for small matrices, which skip the driver
    bool operator==(const BlasFamily&) const = default;
};

struct LedgerFunction {
    std::uint32_t module = 0;  ///< index into Ledger::modules
    std::string name;          ///< without clone suffixes, demangled; `libc.so.6+0x9a2b0` where there is none
    NameSource source = NameSource::kNone;
    Count self;                           ///< its own instructions, on all paths
    std::optional<BlasFamily> blas = {};  ///< of a BLAS library's functions with a name of a known form
    bool operator==(const LedgerFunction&) const = default;
};

struct LedgerLine {
    int line = 0;  ///< of the source file; 0: the code says none
    std::uint64_t self = 0;
    bool operator==(const LedgerLine&) const = default;
};

/// A Python function that the statement runs, that of a lambda or comprehension, too; not the statement itself.
struct LedgerPythonFunction {
    std::string name;  ///< qualified: `Foo.bar.<locals>.baz`
    std::string file;
    int first_line = 0;
    Count self;                          ///< in it and in what it calls, without other Python functions
    std::uint64_t inclusive = 0;         ///< with them; as all below of the layout that `value` is of
    std::uint64_t calls = 0;             ///< a generator's resumptions count each
    std::vector<LedgerLine> lines = {};  ///< by line; they sum to self.value
    bool operator==(const LedgerPythonFunction&) const = default;
};

/// One call path, merged: all activations of a function below the same path. Parents stand before their children.
struct LedgerNode {
    std::int32_t parent = -1;    ///< index into Ledger::nodes; -1: none
    std::uint32_t function = 0;  ///< index into Ledger::functions
    std::uint32_t layer = 0;     ///< index into Ledger::layers: depends on the caller for some functions
    std::uint64_t calls = 0;     ///< 0 for the frame that was open when stepping began
    std::uint64_t self = 0;      ///< instructions
    std::int32_t python = -1;  ///< index into Ledger::python_functions: what this frame of the interpreter's loop runs
    bool operator==(const LedgerNode&) const = default;
};

struct LedgerLayer {
    std::string name;  ///< `type_resolution`; `numpy (unresolved)`
    Count self;
    std::uint32_t functions = 0;  ///< distinct ones with instructions here
    bool unresolved = false;
    bool operator==(const LedgerLayer&) const = default;
};

struct LedgerModule {
    std::string path;                        ///< absolute; "[vdso]"; empty for code compiled at run time
    std::string build_id;                    ///< hex; empty if it has none
    NameSource symbols = NameSource::kNone;  ///< the best source that this file offers
    Count self;
    std::uint64_t named = 0;            ///< of self.value, instructions in functions with a name
    std::uint32_t functions = 0;        ///< distinct ones executed
    std::uint32_t named_functions = 0;  ///< of those, with a name
    bool operator==(const LedgerModule&) const = default;
};

/// One way through BLAS, outermost first: cblas_ssyrk, ssyrk_LT, ssyrk_kernel_L, sgemm_kernel_SKYLAKEX.
struct BlasRoute {
    std::vector<std::string> functions;
    std::string routine;             ///< gemm, syrk, gemv, dot
    std::string precision;           ///< s, d, c, z
    std::string transposition;       ///< nn, tn, LT; empty where none shows
    std::string core;                ///< HASWELL, SKYLAKEX; empty where none shows
    bool small_matrix = false;       ///< a small-matrix kernel, which skips the driver
    std::uint64_t instructions = 0;  ///< below its first function, that included
    bool operator==(const BlasRoute&) const = default;
};

struct LedgerAllocation {
    std::string function;  ///< malloc, PyObject_Malloc, PyDataMem_UserNEW
    std::uint64_t calls = 0;
    std::uint64_t bytes = 0;  ///< asked for
    bool operator==(const LedgerAllocation&) const = default;
};

struct LedgerSystemCall {
    std::int64_t number = 0;
    std::uint64_t calls = 0;
    bool operator==(const LedgerSystemCall&) const = default;
};

/// What decides which program an instruction count is of. Counts of different keys are not compared.
struct ProgramKey {
    std::string architecture;     ///< x86_64
    std::string cpu_features;     ///< those that NumPy dispatches on and found, space-separated
    std::string blas_core;        ///< HASWELL, SKYLAKEX; empty without OpenBLAS
    std::string python_build_id;  ///< of the file whose code runs
    std::string host;             ///< embedded, executable
    bool operator==(const ProgramKey&) const = default;
};

struct Ledger {
    std::string case_name;
    std::string statement;
    ProgramKey program;
    int layouts = 0;                    ///< how many were stepped
    bool randomized_addresses = false;  ///< they differ by address randomisation too, which could not be switched off
    Count total;                        ///< instructions of one execution of the statement
    Count floor;                        ///< of an empty pass of the loop, subtracted from all the rest
    double step_ns = 0;                 ///< what stepping cost an instruction
    std::vector<LedgerModule> modules;  ///< by self.value, most first
    std::vector<LedgerLayer> layers;    ///< by self.value, most first
    std::vector<LedgerFunction> functions;  ///< by self.value, most first
    std::vector<LedgerNode> nodes;  ///< the call tree of the layout that `value` is of; of a stored ledger its leaves
    std::vector<LedgerPythonFunction> python_functions = {};  ///< by self.value, most first
    std::string python_problem = {};                          ///< why these are not known, or not all; empty: they are
    std::vector<BlasRoute> routes;
    std::vector<LedgerAllocation> allocations;
    std::vector<LedgerSystemCall> system_calls;
    std::vector<std::string> warnings;

    bool operator==(const Ledger&) const = default;
};

/// A case whose ledger could not be made, and why.
struct LedgerProblem {
    std::string case_name;
    Error error;
    bool operator==(const LedgerProblem&) const = default;
};

/// "shapely.equals (base.py:12)": a Python function and where it is.
[[nodiscard]] std::string text_of(const LedgerPythonFunction& function);

/// Instructions of a node and all below it, for every node, in their order.
[[nodiscard]] std::vector<std::uint64_t> inclusive_counts(const std::vector<LedgerNode>& nodes);

}  // namespace tare::core
