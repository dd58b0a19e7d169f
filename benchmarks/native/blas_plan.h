// How NumPy turns arrays into BLAS arguments: which routine, what is transposed, the leading dimensions.
// Pure arithmetic on shapes and strides; the rules are those of NumPy's cblasfuncs.c (np.dot) and matmul.c.src (`@`).
#pragma once

#include <cstdint>

#include "harness/core/error.h"
#include "harness/core/native_request.h"

namespace tare::benchmarks {

/// The values of CBLAS_ORDER, CBLAS_TRANSPOSE and CBLAS_UPLO that NumPy passes.
inline constexpr int kRowMajor = 101;
inline constexpr int kColMajor = 102;
inline constexpr int kNoTrans = 111;
inline constexpr int kTrans = 112;
inline constexpr int kUpper = 121;

enum class Caller { kMatmul, kDot };  ///< the `@` operator and np.matmul, or np.dot

struct DotPlan {
    std::int64_t n = 0;
    std::int64_t x_step = 0, y_step = 0;  ///< in elements
    const void* x = nullptr;
    const void* y = nullptr;
    void* out = nullptr;
};

struct GemvPlan {
    int order = kRowMajor;
    int trans = kNoTrans;
    std::int64_t m = 0, n = 0, lda = 0;
    std::int64_t x_step = 0, out_step = 0;  ///< in elements
    const void* a = nullptr;
    const void* x = nullptr;
    void* out = nullptr;
};

/// gemm; or syrk where both operands are one matrix and its transpose.
struct GemmPlan {
    bool is_syrk = false;
    int trans_a = kNoTrans, trans_b = kNoTrans;
    std::int64_t m = 0, n = 0, k = 0;  ///< out is m x n, k is summed over
    std::int64_t lda = 0, ldb = 0, ldc = 0;
    const void* a = nullptr;
    const void* b = nullptr;
    void* out = nullptr;
};

// Errors of all three: shapes that do not fit; operands that NumPy multiplies without BLAS (a dimension of 1 or 0) or
// copies first (strides that BLAS cannot take). None of these has a bare kernel.

[[nodiscard]] core::Expected<DotPlan> plan_dot(const core::Buffer& x, const core::Buffer& y, const core::Buffer& out);

/// Matrix times vector, or, where the first operand is 1-d, vector times matrix.
[[nodiscard]] core::Expected<GemvPlan> plan_gemv(Caller caller, const core::Buffer& first, const core::Buffer& second,
                                                 const core::Buffer& out);

[[nodiscard]] core::Expected<GemmPlan> plan_gemm(Caller caller, const core::Buffer& a, const core::Buffer& b,
                                                 const core::Buffer& out);

/// The same memory with its two axes exchanged, as `A.T`.
[[nodiscard]] core::Buffer transposed(const core::Buffer& matrix);

}  // namespace tare::benchmarks
