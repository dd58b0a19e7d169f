// Test data: made-up ledgers whose functions, layers, modules and call tree add up, as made ones do.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "harness/core/ledger.h"

namespace tare::record {

/// One call path; `spread`: by how much more other layouts execute.
struct SamplePath {
    std::int32_t parent = -1;
    std::string function;
    std::uint32_t module = 0;
    std::string layer;
    std::uint64_t calls = 1;
    std::uint64_t self = 0;
    std::uint64_t spread = 0;
};

inline core::ProgramKey sample_program() {
    return {"x86_64", "SSE2 AVX2 FMA3 AVX512F AVX512_SKX", "SKYLAKEX", "3c1f6c0d5b6f4f0e8a8d7a9be5c3d2f1a0b9c8d7",
            "embedded"};
}

inline std::vector<core::LedgerModule> sample_modules() {
    using core::NameSource;
    const std::string site = "/env/lib/python3.13/site-packages/";
    return {{"/usr/lib/x86_64-linux-gnu/libpython3.13.so.1.0",
             "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567",
             NameSource::kDebugFile,
             {},
             0,
             0,
             0},
            {site + "numpy/_core/_multiarray_umath.cpython-313-x86_64-linux-gnu.so",
             "89abcdef0123456789abcdef0123456789abcdef",
             NameSource::kSymbols,
             {},
             0,
             0,
             0},
            {site + "numpy.libs/libscipy_openblas64_-56d6093b.so",
             "fedcba9876543210fedcba9876543210fedcba98",
             NameSource::kDynamicSymbols,
             {},
             0,
             0,
             0},
            {"/usr/lib/x86_64-linux-gnu/libc.so.6", "", NameSource::kDynamicSymbols, {}, 0, 0, 0}};
}

/// Sorts by self.value, most first; the new place of each old one.
template <class Item>
std::vector<std::uint32_t> sort_by_self(std::vector<Item>& items) {
    std::vector<std::uint32_t> order(items.size()), places(items.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t first, std::uint32_t second) {
        return items[first].self.value > items[second].self.value;
    });
    std::vector<Item> sorted;
    for (std::uint32_t place = 0; place < order.size(); ++place) {
        places[order[place]] = place;
        sorted.push_back(std::move(items[order[place]]));
    }
    items = std::move(sorted);
    return places;
}

/// A function whose name holds '+' has none.
inline core::Ledger ledger_of_paths(std::string case_name, std::string statement, const std::vector<SamplePath>& paths,
                                    std::vector<core::LedgerModule> modules = sample_modules()) {
    core::Ledger ledger;
    ledger.case_name = std::move(case_name);
    ledger.statement = std::move(statement);
    ledger.program = sample_program();
    ledger.layouts = 5;
    ledger.floor = {41, 41, 41};
    ledger.step_ns = 12'600;
    ledger.modules = std::move(modules);
    const auto add = [](core::Count& count, const SamplePath& path) {
        count.value += path.self;
        count.lowest += path.self;
        count.highest += path.self + path.spread;
    };
    std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> functions;
    std::map<std::string, std::uint32_t> layers;
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> seen;
    for (const SamplePath& path : paths) {
        const bool named = path.function.find('+') == std::string::npos;
        core::LedgerModule& module = ledger.modules[path.module];
        const auto [function, fresh] = functions.try_emplace({path.module, path.function}, ledger.functions.size());
        if (fresh) {
            ledger.functions.push_back(
                {path.module, path.function, named ? module.symbols : core::NameSource::kFrameEntry, {}});
            ++module.functions;
            module.named_functions += named ? 1 : 0;
        }
        const auto [layer, fresh_layer] = layers.try_emplace(path.layer, ledger.layers.size());
        if (fresh_layer)
            ledger.layers.push_back({path.layer, {}, 0, path.layer.find("unresolved") != std::string::npos});
        if (path.self > 0 && seen[{function->second, layer->second}]++ == 0) ++ledger.layers[layer->second].functions;
        add(ledger.functions[function->second].self, path);
        add(ledger.layers[layer->second].self, path);
        add(module.self, path);
        add(ledger.total, path);
        module.named += named ? path.self : 0;
        ledger.nodes.push_back({path.parent, function->second, layer->second, path.calls, path.self});
    }
    const auto modules_at = sort_by_self(ledger.modules), layers_at = sort_by_self(ledger.layers);
    for (core::LedgerFunction& function : ledger.functions) function.module = modules_at[function.module];
    const auto functions_at = sort_by_self(ledger.functions);
    for (core::LedgerNode& node : ledger.nodes) {
        node.function = functions_at[node.function];
        node.layer = layers_at[node.layer];
    }
    while (!ledger.modules.empty() && ledger.modules.back().functions == 0) ledger.modules.pop_back();
    return ledger;
}

/// 3,770 instructions of an addition of two small arrays; `more`: so many more in the type resolution.
inline core::Ledger add_ledger(std::string case_name = "add[kind=array,dtype=f8,n=8]", std::uint64_t more = 0) {
    core::Ledger ledger = ledger_of_paths(std::move(case_name), "x + y",
                                          {{-1, "_PyEval_EvalFrameDefault", 0, "interpreter", 0, 96},
                                           {0, "PyNumber_Add", 0, "call_protocol", 1, 88},
                                           {1, "array_add", 1, "call_protocol", 1, 61},
                                           {2, "ufunc_generic_fastcall", 1, "argument_parsing", 1, 812, 22},
                                           {3, "check_for_override", 1, "override_check", 1, 204},
                                           {3, "promote_and_get_ufuncimpl", 1, "type_resolution", 1, 623 + more, 30},
                                           {5, "PyObject_Hash", 0, "type_resolution", 3, 144},
                                           {3, "try_trivial_single_output_loop", 1, "loop_setup", 1, 402},
                                           {7, "DOUBLE_add_AVX512_SKX", 1, "inner_loop", 1, 93},
                                           {7, "PyArray_NewFromDescr_int", 1, "allocation", 1, 511},
                                           {9, "PyObject_Malloc", 0, "allocation", 2, 148},
                                           {9, "malloc", 3, "allocation", 1, 87},
                                           {3, "PyObject_Hash", 0, "call_protocol", 1, 48},
                                           {1, "array_dealloc", 1, "allocation", 1, 312},
                                           {13, "libc.so.6+0x9a2b0", 3, "libc (unresolved)", 2, 141}});
    ledger.allocations = {{"PyObject_Malloc", 2, 176}, {"malloc", 1, 64}};
    return ledger;
}

/// The same within a Python function that another one calls.
inline core::Ledger python_ledger() {
    core::Ledger ledger = add_ledger("shapes[kind=array]");
    ledger.python_functions = {
        {"area.<locals>.side", "/site/shapes.py", 12, {2'100, 2'100, 2'152}, 2'100, 3, {{14, 2'000}, {15, 100}}},
        {"area", "/site/shapes.py", 8, {900, 900, 900}, 3'000, 1, {{0, 900}}}};
    ledger.nodes[1].python = 1;
    ledger.nodes[2].python = 0;
    return ledger;
}

/// A product of a matrix and its transpose: a BLAS route, page faults of a system call, randomised addresses.
inline core::Ledger syrk_ledger() {
    core::Ledger ledger = ledger_of_paths("matmul_transposed[dtype=f4,n=8]", "a @ a.T",
                                          {{-1, "_PyEval_EvalFrameDefault", 0, "interpreter", 0, 180},
                                           {0, "array_matrix_multiply", 1, "call_protocol", 1, 240},
                                           {1, "FLOAT_matmul", 1, "blas_interface", 1, 333},
                                           {2, "cblas_ssyrk64_", 2, "blas_interface", 1, 210},
                                           {3, "ssyrk_LT", 2, "driver", 1, 1'902},
                                           {4, "ssyrk_kernel_L", 2, "driver", 1, 640},
                                           {5, "sgemm_kernel_SKYLAKEX", 2, "kernel", 1, 812},
                                           {4, "sgemm_oncopy_SKYLAKEX", 2, "packing", 2, 407},
                                           {1, "munmap", 3, "allocation", 1, 12}});
    ledger.randomized_addresses = true;
    ledger.routes = {{{"cblas_ssyrk64_", "ssyrk_LT", "ssyrk_kernel_L", "sgemm_kernel_SKYLAKEX"},
                      "syrk",
                      "s",
                      "LT",
                      "SKYLAKEX",
                      false,
                      3'564}};
    ledger.system_calls = {{11, 1}, {9'999, 2}};
    ledger.warnings = {"the call was not warm: 2 of 5 layouts differ in their first pass"};
    return ledger;
}

}  // namespace tare::record
