// NumPy's choice of BLAS arguments. Pure arithmetic; strides in bytes, steps and leading dimensions in elements.
#include "benchmarks/native/blas_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

#include "benchmarks/native/request.h"

namespace tare::benchmarks {
namespace {

// matmul.c.src, is_blasable2d: elements of a row adjacent, rows apart by whole elements and not overlapping.
bool has_rows(const core::Buffer& matrix) {
    const std::ptrdiff_t item = matrix.itemsize_bytes;
    const std::ptrdiff_t row = matrix.strides_bytes[0];
    return matrix.strides_bytes[1] == item && row % item == 0 && row / item >= matrix.shape[1];
}

bool is_c_contiguous(const core::Buffer& matrix) {
    return has_rows(matrix) && matrix.strides_bytes[0] == matrix.shape[1] * matrix.itemsize_bytes;
}

// Which way BLAS can read a matrix, and its leading dimension; nullopt where NumPy would copy it. np.dot copies all
// that is not contiguous, `@` since NumPy 2.3 only what BLAS cannot take (before, it went without BLAS).
struct Reading {
    bool by_rows = true;
    std::int64_t leading = 0;
};

std::optional<Reading> reading_of(Caller caller, const core::Buffer& matrix) {
    const core::Buffer flipped = transposed(matrix);
    const bool rows = caller == Caller::kDot ? is_c_contiguous(matrix) : has_rows(matrix);
    const bool columns = caller == Caller::kDot ? is_c_contiguous(flipped) : has_rows(flipped);
    if (rows) return Reading{true, matrix.strides_bytes[0] / matrix.itemsize_bytes};
    if (columns) return Reading{false, matrix.strides_bytes[1] / matrix.itemsize_bytes};
    return std::nullopt;
}

// npy_cblas.h, blas_stride: BLAS walks only forward, by whole elements.
std::optional<std::int64_t> step_of(const core::Buffer& vector) {
    const std::ptrdiff_t stride = vector.strides_bytes[0];
    if (stride <= 0 || stride % vector.itemsize_bytes != 0) return std::nullopt;
    return stride / vector.itemsize_bytes;
}

tl::unexpected<core::Error> refuse(std::string_view routine, const std::string& why) {
    return core::fail(core::ErrorCode::kUsage, fmt::format("{}: {}", routine, why));
}

tl::unexpected<core::Error> misfit(std::string_view routine, const core::Buffer& a, const core::Buffer& b,
                                   const core::Buffer& out) {
    return refuse(routine,
                  fmt::format("shapes {} and {} do not give {}", shape_text(a), shape_text(b), shape_text(out)));
}

bool has_small_dimension(const core::Buffer& buffer) {
    return std::any_of(buffer.shape.begin(), buffer.shape.end(), [](std::ptrdiff_t length) { return length < 2; });
}

}  // namespace

core::Buffer transposed(const core::Buffer& matrix) {
    core::Buffer flipped = matrix;
    std::reverse(flipped.shape.begin(), flipped.shape.end());
    std::reverse(flipped.strides_bytes.begin(), flipped.strides_bytes.end());
    return flipped;
}

core::Expected<DotPlan> plan_dot(const core::Buffer& x, const core::Buffer& y, const core::Buffer& out) {
    if (x.shape.size() != 1 || x.shape != y.shape || !out.shape.empty()) return misfit("dot", x, y, out);
    if (has_small_dimension(x))
        return refuse("dot", fmt::format("NumPy multiplies vectors of shape {} without BLAS", shape_text(x)));
    const auto x_step = step_of(x);
    const auto y_step = step_of(y);
    if (!x_step || !y_step)
        return refuse("dot", fmt::format("strides of {} and {} bytes: NumPy does not give them to BLAS",
                                         x.strides_bytes[0], y.strides_bytes[0]));
    return DotPlan{x.shape[0], *x_step, *y_step, x.data, y.data, out.data};
}

core::Expected<GemvPlan> plan_gemv(Caller caller, const core::Buffer& first, const core::Buffer& second,
                                   const core::Buffer& out) {
    const bool vector_first = first.shape.size() == 1;
    // x @ A is A.T @ x: `@` says so itself; np.dot keeps A and asks BLAS for the transposed product.
    const core::Buffer matrix = vector_first ? transposed(second) : first;
    const core::Buffer& x = vector_first ? first : second;
    if (matrix.shape.size() != 2 || x.shape.size() != 1 || out.shape.size() != 1 || matrix.shape[1] != x.shape[0] ||
        matrix.shape[0] != out.shape[0])
        return misfit("gemv", first, second, out);
    if (has_small_dimension(matrix))
        return refuse("gemv", fmt::format("NumPy multiplies shapes {} and {} without gemv", shape_text(first),
                                          shape_text(second)));
    const auto reading = reading_of(caller, matrix);
    const auto x_step = step_of(x);
    const auto out_step = step_of(out);
    if (!reading || !x_step || !out_step)
        return refuse("gemv", "the strides of an operand: NumPy copies it or does not give it to BLAS");

    GemvPlan plan{.lda = reading->leading,
                  .x_step = *x_step,
                  .out_step = *out_step,
                  .a = matrix.data,
                  .x = x.data,
                  .out = out.data};
    if (caller == Caller::kMatmul) {  // always transposed: rows read as the columns of the transpose
        plan.order = reading->by_rows ? kColMajor : kRowMajor;
        plan.trans = kTrans;
        plan.m = matrix.shape[1];
        plan.n = matrix.shape[0];
    } else {
        const core::Buffer& as_given = vector_first ? second : first;
        plan.order = reading->by_rows != vector_first ? kRowMajor : kColMajor;
        plan.trans = vector_first ? kTrans : kNoTrans;
        plan.m = as_given.shape[0];
        plan.n = as_given.shape[1];
    }
    return plan;
}

core::Expected<GemmPlan> plan_gemm(Caller caller, const core::Buffer& a, const core::Buffer& b,
                                   const core::Buffer& out) {
    if (a.shape.size() != 2 || b.shape.size() != 2 || out.shape.size() != 2 || a.shape[1] != b.shape[0] ||
        out.shape[0] != a.shape[0] || out.shape[1] != b.shape[1])
        return misfit("gemm", a, b, out);
    if (has_small_dimension(a) || has_small_dimension(b))
        return refuse("gemm",
                      fmt::format("NumPy multiplies shapes {} and {} without gemm", shape_text(a), shape_text(b)));
    // A column-major output is computed as its transpose: out.T = b.T @ a.T. (np.dot copies such an output instead.)
    if (caller == Caller::kMatmul && std::abs(out.strides_bytes[0]) < std::abs(out.strides_bytes[1]))
        return plan_gemm(caller, transposed(b), transposed(a), transposed(out));
    const auto reading_a = reading_of(caller, a);
    const auto reading_b = reading_of(caller, b);
    const auto reading_out = reading_of(caller, out);
    if (!reading_a || !reading_b || !reading_out || !reading_out->by_rows)
        return refuse("gemm", "the strides of an operand: NumPy copies it before BLAS sees it");

    GemmPlan plan{.trans_a = reading_a->by_rows ? kNoTrans : kTrans,
                  .trans_b = reading_b->by_rows ? kNoTrans : kTrans,
                  .m = a.shape[0],
                  .n = b.shape[1],
                  .k = a.shape[1],
                  .lda = reading_a->leading,
                  .ldb = reading_b->leading,
                  .ldc = reading_out->leading,
                  .a = a.data,
                  .b = b.data,
                  .out = out.data};
    const core::Buffer b_flipped = transposed(b);
    plan.is_syrk = a.data == b.data && a.shape == b_flipped.shape && a.strides_bytes == b_flipped.strides_bytes &&
                   plan.trans_a != plan.trans_b;
    return plan;
}

}  // namespace tare::benchmarks
