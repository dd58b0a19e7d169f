// Test data: ledgers of a whole suite. Like those of NumPy: 2,000 functions of 6 files in all, 120 to 330 of them in a
// case, a third of whose counts vary with the layout.
#pragma once

#include <fmt/format.h>

#include <random>

#include "harness/record/sample_ledger.h"

namespace tare::record {

inline std::vector<core::Ledger> full_size_ledgers(unsigned seed, int cases = 700) {
    constexpr int kFunctions = 2'000;
    const std::vector<std::string> layers{
        "interpreter", "call_protocol",   "argument_parsing",  "override_check",  "loop_setup", "allocation",
        "inner_loop",  "type_resolution", "casting",           "blas_interface",  "driver",     "packing",
        "kernel",      "error_state",     "libc (unresolved)", "reference_counts"};
    std::mt19937_64 random(seed);
    std::vector<core::LedgerModule> modules = sample_modules();
    modules.push_back({"[vdso]", "", core::NameSource::kDynamicSymbols, {}, 0, 0, 0});
    modules.push_back({"/usr/lib/x86_64-linux-gnu/libm.so.6",
                       "0011223344556677889900112233445566778899",
                       core::NameSource::kDebugFile,
                       {},
                       0,
                       0,
                       0});
    std::vector<std::string> names;
    for (int i = 0; i < kFunctions; ++i)
        names.push_back(fmt::format("PyUFunc_{}_function_number_{}", std::string(random() % 20, 'x'), i));
    std::vector<core::Ledger> ledgers;
    for (int i = 0; i < cases; ++i) {
        std::vector<SamplePath> paths;
        const int functions = 120 + static_cast<int>(random() % 211);
        for (int k = 0; k < functions; ++k) {
            const std::size_t name = random() % names.size();
            // a few heavy functions and a long tail, as in the 3,770 instructions of an addition
            const auto self = static_cast<std::uint64_t>(600.0 / (1 + k / 4) + 1) + random() % 12;
            paths.push_back({k == 0 ? -1 : static_cast<std::int32_t>(random() % static_cast<unsigned>(k)), names[name],
                             static_cast<std::uint32_t>(name % modules.size()), layers[name % layers.size()],
                             1 + random() % 3, self, random() % 3 == 0 ? random() % 20 : 0});
        }
        ledgers.push_back(ledger_of_paths(fmt::format("operation_{}[kind=array,dtype=f8,n={}]", i / 7, 1 << (i % 7)),
                                          "np.operation(x, y, out=z)", paths, modules));
        if (i % 5 == 0) ledgers.back().routes = syrk_ledger().routes;
        ledgers.back().allocations = add_ledger().allocations;
    }
    return ledgers;
}

}  // namespace tare::record
