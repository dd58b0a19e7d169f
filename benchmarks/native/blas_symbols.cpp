// The BLAS routine that NumPy calls, chosen by NumPy's own relocations and checked against its GOT.
#include "benchmarks/native/blas_symbols.h"

#include <fmt/format.h>

#include <algorithm>

namespace tare::benchmarks {
namespace {

const Relocation* find_relocation(const LoadedModule& module, std::string_view symbol) {
    const auto& all = module.relocations();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Relocation& r) { return r.symbol == symbol; });
    return found == all.end() ? nullptr : &*found;
}

tl::unexpected<core::Error> no_relocation(const LoadedModule& module, const std::string& routine) {
    for (const Relocation& relocation : module.relocations())
        if (relocation.symbol.find("cblas_") != std::string::npos)
            return core::fail(core::ErrorCode::kEnvironment,
                              fmt::format("{} calls BLAS, such as {}, but no {} under a decoration known here",
                                          module.stem(), relocation.symbol, routine));
    return core::fail(core::ErrorCode::kEnvironment,
                      fmt::format("{} calls no cblas routine of another library: this NumPy was built without BLAS, or "
                                  "with BLAS linked into it ({})",
                                  module.stem(), module.path()),
                      "use a NumPy that loads its BLAS as a shared library");
}

}  // namespace

core::Expected<BlasSymbol> find_blas_symbol(const LoadedModule& module, const std::string& routine) {
    for (const Decoration& decoration : kDecorations) {
        const std::string name = decoration.applied_to(routine);
        const Relocation* relocation = find_relocation(module, name);
        if (relocation == nullptr) continue;
        void* address = module.symbol(name);
        if (address == nullptr)
            return core::fail(core::ErrorCode::kEnvironment,
                              fmt::format("{} needs {}, but no library it depends on has it", module.stem(), name));
        const auto bound = module.bound_address(*relocation);
        if (bound && *bound != address)
            return core::fail(
                core::ErrorCode::kEnvironment,
                fmt::format("{} is {} for dlsym but {} in the GOT of {}: another BLAS was loaded before NumPy", name,
                            locate(address).address, locate(*bound).address, module.stem()),
                "take other BLAS libraries out of LD_PRELOAD and of what is linked to the worker");
        return BlasSymbol{address, name, decoration,
                          bound ? fmt::format("equals the GOT entry of {}", module.stem())
                                : fmt::format("not confirmed: GOT entry of {} not bound yet", module.stem())};
    }
    return no_relocation(module, routine);
}

}  // namespace tare::benchmarks
