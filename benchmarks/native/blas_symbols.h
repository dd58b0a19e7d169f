// Which BLAS routine NumPy calls: its decorated name (from the module's relocations), its address (dlsym) and the proof
// that NumPy's own GOT holds the same one. Only looks at the loaded module.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "benchmarks/native/loaded_module.h"
#include "harness/core/error.h"

namespace tare::benchmarks {

/// What a BLAS library puts around `cblas_sgemm`, and the width of its integers.
struct Decoration {
    std::string_view prefix;
    std::string_view suffix;
    int integer_bits = 32;

    [[nodiscard]] std::string applied_to(std::string_view name) const {
        return std::string(prefix).append(name).append(suffix);
    }
    bool operator==(const Decoration&) const = default;
};

/// NumPy's wheels since 2.0; wheels before; MKL's ILP64 names; 32-bit wheels of scipy-openblas; everybody else.
/// (numpy/_core/src/common/npy_cblas.h: BLAS_SYMBOL_PREFIX, BLAS_SYMBOL_SUFFIX.)
inline constexpr std::array kDecorations = {
    Decoration{"scipy_", "64_", 64}, Decoration{"", "64_", 64}, Decoration{"", "_64", 64},
    Decoration{"scipy_", "", 32},    Decoration{"", "", 32},
};

struct BlasSymbol {
    void* address = nullptr;
    std::string name;  ///< decorated: "scipy_cblas_sgemm64_"
    Decoration decoration;
    std::string check;  ///< "equals the GOT entry of _multiarray_umath", or why that is not confirmed
};

/// The address that `module` (NumPy's _multiarray_umath) uses for `routine` ("cblas_sgemm").
/// Errors: the module calls no BLAS, decorates its names in an unknown way, or its GOT holds another address.
[[nodiscard]] core::Expected<BlasSymbol> find_blas_symbol(const LoadedModule& module, const std::string& routine);

}  // namespace tare::benchmarks
