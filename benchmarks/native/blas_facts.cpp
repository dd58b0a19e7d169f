// Facts on the subject's BLAS, from its getters under the decoration NumPy uses.
#include "benchmarks/native/blas_facts.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "benchmarks/native/blas_symbols.h"
#include "benchmarks/native/loaded_module.h"

namespace tare::benchmarks {
namespace {

constexpr std::array kOpenBlasKeys = {"version_config", "core", "threads", "parallel"};

void set_unknown(core::Map& facts, const std::string& key, const std::string& reason) {
    facts[key] = nullptr;
    facts[key + "_reason"] = reason;
}

// The C getters carry the prefix and suffix of the library's other names (scipy_openblas_get_config64_); OpenBLAS built
// with a suffix for BLAS names alone keeps them bare, so both are tried.
template <class Function>
Function* getter(const LoadedModule& module, const Decoration& decoration, const std::string& name) {
    void* address = module.symbol(decoration.applied_to(name));
    if (address == nullptr) address = module.symbol(name);
    return reinterpret_cast<Function*>(address);
}

core::Value text_from(const char* (*get)()) {
    const char* text = get();
    if (text == nullptr) return nullptr;
    std::string trimmed(text);
    trimmed.erase(trimmed.find_last_not_of(" \n") + 1);
    return trimmed;
}

// OpenBLAS's openblas_get_parallel: 0 sequential, 1 its own threads, 2 OpenMP (cblas.h: OPENBLAS_SEQUENTIAL, _THREAD,
// _OPENMP).
core::Value parallel_name(int parallel) {
    constexpr std::array names = {"none", "pthreads", "openmp"};
    if (parallel < 0 || static_cast<std::size_t>(parallel) >= names.size()) return nullptr;
    return names[static_cast<std::size_t>(parallel)];
}

void add_openblas(core::Map& facts, const LoadedModule& module, const Decoration& decoration) {
    auto* config = getter<const char*()>(module, decoration, "openblas_get_config");
    if (config == nullptr) {
        for (const char* key : kOpenBlasKeys) set_unknown(facts, key, "not OpenBLAS: it has no openblas_get_config");
        return;
    }
    facts["version_config"] = text_from(config);
    const auto set = [&](const char* key, const char* name, auto* function, auto read) {
        if (function != nullptr)
            facts[key] = read(function);
        else
            set_unknown(facts, key, fmt::format("this OpenBLAS has no {}", name));
    };
    set("core", "openblas_get_corename", getter<const char*()>(module, decoration, "openblas_get_corename"), text_from);
    set("threads", "openblas_get_num_threads", getter<int()>(module, decoration, "openblas_get_num_threads"),
        [](int (*get)()) { return core::Value(get()); });
    set("parallel", "openblas_get_parallel", getter<int()>(module, decoration, "openblas_get_parallel"),
        [](int (*get)()) { return parallel_name(get()); });
}

core::Value no_blas(const std::string& reason) {
    core::Map facts{{"reason", reason}};
    for (const char* key : {"library", "address", "build_id", "decoration", "integer_bits", "check"})
        facts[key] = nullptr;
    for (const char* key : kOpenBlasKeys) facts[key] = nullptr;
    return facts;
}

}  // namespace

core::Value blas_facts(const std::string& numpy_module_path) {
    const auto module = LoadedModule::find(numpy_module_path);
    if (!module) return no_blas(module.error().what);
    const auto gemm = find_blas_symbol(*module, "cblas_dgemm");
    if (!gemm) return no_blas(gemm.error().what);
    const CodeLocation location = locate(gemm->address);
    core::Map facts;
    facts["library"] = location.library;
    facts["address"] = location.address;
    facts["check"] = gemm->check;
    facts["decoration"] = gemm->decoration.applied_to("cblas_*");
    facts["integer_bits"] = gemm->decoration.integer_bits;
    const std::string build_id = build_id_of(gemm->address);
    if (build_id.empty())
        set_unknown(facts, "build_id", "the library carries none");
    else
        facts["build_id"] = build_id;
    add_openblas(facts, *module, gemm->decoration);
    return facts;
}

}  // namespace tare::benchmarks
