// What a function of a BLAS library is, read off its name: routine, precision, transposition, core. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/ledger.h"

namespace tare::attribution {

enum class BlasRole { kInterface, kDriver, kPacking, kKernel, kOther };

[[nodiscard]] constexpr std::string_view name_of(BlasRole role) {
    switch (role) {
        case BlasRole::kInterface:
            return "interface";
        case BlasRole::kDriver:
            return "driver";
        case BlasRole::kPacking:
            return "packing";
        case BlasRole::kKernel:
            return "kernel";
        case BlasRole::kOther:
            break;
    }
    return "other";
}

struct BlasName {
    BlasRole role = BlasRole::kOther;
    std::string precision;      ///< s, d, c, z
    std::string routine;        ///< gemm, syrk, gemv, dot
    std::string transposition;  ///< nn, tn, LT, n, t; empty
    std::string core;           ///< HASWELL; empty
    bool small_matrix = false;
    bool operator==(const BlasName&) const = default;
};

/// Of OpenBLAS's names (decorated ones too: scipy_cblas_sgemm64_); nullopt for one that is of no known form.
[[nodiscard]] std::optional<BlasName> parse_blas_name(std::string_view function);

/// A public name as BLAS's documentation has it: cblas_sgemm of scipy_cblas_sgemm64_, sgemm_ of scipy_sgemm_64_; others
/// as they are.
[[nodiscard]] std::string undecorated_blas_name(std::string_view function);

/// True for the file of a BLAS library: libopenblas*, libscipy_openblas*, libblas.so.3, libmkl_*, libblis*.
[[nodiscard]] bool is_blas_module(std::string_view file_name);

/// The ways that calls went through BLAS: from each outermost BLAS function down to its heaviest kernel. Driver and
/// kernel as they are called; packing, memory and dispatch left out. Merged where equal, heaviest first.
[[nodiscard]] std::vector<core::BlasRoute> blas_routes(const core::Ledger& ledger);

}  // namespace tare::attribution
