// Calls of dot, gemv, gemm and syrk as NumPy makes them. The Execute functions run in the timed region: they hold the
// call, and of NumPy's own code only what no caller can leave out (dot's store, syrk's mirrored triangle).
#include "benchmarks/native/blas_rungs.h"

#include <fmt/format.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "benchmarks/native/blas_plan.h"
#include "benchmarks/native/blas_symbols.h"
#include "benchmarks/native/execution.h"
#include "benchmarks/native/request.h"

namespace tare::benchmarks {
namespace {

template <class T>
inline constexpr bool kIsComplex = !std::is_floating_point_v<T>;

// cblas passes real factors by value and complex ones by address.
template <class T>
using Factor = std::conditional_t<kIsComplex<T>, const void*, T>;

template <class T>
Factor<T> factor(const T& value) {
    if constexpr (kIsComplex<T>)
        return &value;
    else
        return value;
}

template <class T>
inline constexpr T kOne = T(1);
template <class T>
inline constexpr T kZero = T(0);

template <class T, class Int>
struct DotWork {
    using Real = T (*)(Int, const void*, Int, const void*, Int);
    using Complex = void (*)(Int, const void*, Int, const void*, Int, void*);
    std::conditional_t<kIsComplex<T>, Complex, Real> routine;
    Int n, x_step, y_step;
    const void* x;
    const void* y;
    T* out;
};

// As NumPy's TYPE_dot: the chunk's result is added to a zero in double precision (that turns -0.0 into 0.0), then
// stored.
template <class T, class Int>
void execute_dot(void* work) {
    const auto& w = *static_cast<const DotWork<T, Int>*>(work);
    if constexpr (kIsComplex<T>) {
        T chunk;
        w.routine(w.n, w.x, w.x_step, w.y, w.y_step, &chunk);
        using Part = typename T::value_type;
        *w.out = T(static_cast<Part>(0.0 + static_cast<double>(chunk.real())),
                   static_cast<Part>(0.0 + static_cast<double>(chunk.imag())));
    } else {
        *w.out = static_cast<T>(0.0 + static_cast<double>(w.routine(w.n, w.x, w.x_step, w.y, w.y_step)));
    }
}

template <class T, class Int>
struct GemvWork {
    void (*routine)(int order, int trans, Int m, Int n, Factor<T> alpha, const void* a, Int lda, const void* x,
                    Int x_step, Factor<T> beta, void* out, Int out_step);
    int order, trans;
    Int m, n, lda, x_step, out_step;
    const void* a;
    const void* x;
    void* out;
};

template <class T, class Int>
void execute_gemv(void* work) {
    const auto& w = *static_cast<const GemvWork<T, Int>*>(work);
    w.routine(w.order, w.trans, w.m, w.n, factor(kOne<T>), w.a, w.lda, w.x, w.x_step, factor(kZero<T>), w.out,
              w.out_step);
}

template <class T, class Int>
struct GemmWork {
    void (*routine)(int order, int trans_a, int trans_b, Int m, Int n, Int k, Factor<T> alpha, const void* a, Int lda,
                    const void* b, Int ldb, Factor<T> beta, void* out, Int ldc);
    int trans_a, trans_b;
    Int m, n, k, lda, ldb, ldc;
    const void* a;
    const void* b;
    void* out;
};

template <class T, class Int>
void execute_gemm(void* work) {
    const auto& w = *static_cast<const GemmWork<T, Int>*>(work);
    w.routine(kRowMajor, w.trans_a, w.trans_b, w.m, w.n, w.k, factor(kOne<T>), w.a, w.lda, w.b, w.ldb, factor(kZero<T>),
              w.out, w.ldc);
}

template <class T, class Int>
struct SyrkWork {
    void (*routine)(int order, int uplo, int trans, Int n, Int k, Factor<T> alpha, const void* a, Int lda,
                    Factor<T> beta, void* out, Int ldc);
    int trans;
    Int n, k, lda, ldc;
    const void* a;
    T* out;
};

template <class T, class Int>
void execute_syrk(void* work) {
    const auto& w = *static_cast<const SyrkWork<T, Int>*>(work);
    w.routine(kRowMajor, kUpper, w.trans, w.n, w.k, factor(kOne<T>), w.a, w.lda, factor(kZero<T>), w.out, w.ldc);
    const auto n = static_cast<std::ptrdiff_t>(w.n);
    const auto ldc = static_cast<std::ptrdiff_t>(w.ldc);
    for (std::ptrdiff_t i = 0; i < n; ++i)
        for (std::ptrdiff_t j = i + 1; j < n; ++j) w.out[j * ldc + i] = w.out[i * ldc + j];
}

// What the plan of one routine becomes: cblas's name for it and a way to build its rung once the address is known.
template <class T, class Int>
core::NativeRung build(const DotPlan& p, void* address) {
    using Work = DotWork<T, Int>;
    return rung_of(Work{.routine = reinterpret_cast<decltype(Work::routine)>(address),
                        .n = static_cast<Int>(p.n),
                        .x_step = static_cast<Int>(p.x_step),
                        .y_step = static_cast<Int>(p.y_step),
                        .x = p.x,
                        .y = p.y,
                        .out = static_cast<T*>(p.out)},
                   execute_dot<T, Int>);
}

template <class T, class Int>
core::NativeRung build(const GemvPlan& p, void* address) {
    using Work = GemvWork<T, Int>;
    return rung_of(Work{.routine = reinterpret_cast<decltype(Work::routine)>(address),
                        .order = p.order,
                        .trans = p.trans,
                        .m = static_cast<Int>(p.m),
                        .n = static_cast<Int>(p.n),
                        .lda = static_cast<Int>(p.lda),
                        .x_step = static_cast<Int>(p.x_step),
                        .out_step = static_cast<Int>(p.out_step),
                        .a = p.a,
                        .x = p.x,
                        .out = p.out},
                   execute_gemv<T, Int>);
}

template <class T, class Int>
core::NativeRung build(const GemmPlan& p, void* address) {
    if (p.is_syrk) {
        using Work = SyrkWork<T, Int>;
        return rung_of(Work{.routine = reinterpret_cast<decltype(Work::routine)>(address),
                            .trans = p.trans_a,
                            .n = static_cast<Int>(p.n),
                            .k = static_cast<Int>(p.k),
                            .lda = static_cast<Int>(p.lda),
                            .ldc = static_cast<Int>(p.ldc),
                            .a = p.a,
                            .out = static_cast<T*>(p.out)},
                       execute_syrk<T, Int>);
    }
    using Work = GemmWork<T, Int>;
    return rung_of(Work{.routine = reinterpret_cast<decltype(Work::routine)>(address),
                        .trans_a = p.trans_a,
                        .trans_b = p.trans_b,
                        .m = static_cast<Int>(p.m),
                        .n = static_cast<Int>(p.n),
                        .k = static_cast<Int>(p.k),
                        .lda = static_cast<Int>(p.lda),
                        .ldb = static_cast<Int>(p.ldb),
                        .ldc = static_cast<Int>(p.ldc),
                        .a = p.a,
                        .b = p.b,
                        .out = p.out},
                   execute_gemm<T, Int>);
}

template <class Plan, class Int>
core::NativeRung build_for(char dtype, const Plan& plan, void* address) {
    switch (dtype) {
        case 'f':
            return build<float, Int>(plan, address);
        case 'd':
            return build<double, Int>(plan, address);
        case 'F':
            return build<std::complex<float>, Int>(plan, address);
        default:
            return build<std::complex<double>, Int>(plan, address);
    }
}

std::string cblas_name(char dtype, std::string_view routine) {
    const char letter = dtype == 'f' ? 's' : dtype == 'd' ? 'd' : dtype == 'F' ? 'c' : 'z';
    const bool is_complex_dot = routine == "dot" && (letter == 'c' || letter == 'z');
    return fmt::format("cblas_{}{}", letter, is_complex_dot ? "dotu_sub" : routine);
}

template <class Plan>
core::Expected<core::NativeRung> finish(const core::NativeRequest& request, const core::Expected<Plan>& plan,
                                        std::string_view routine) {
    if (!plan) return tl::unexpected(plan.error());
    const char dtype = request.buffers[0].dtype;
    const auto module = LoadedModule::find(option(request, "numpy_module"));
    if (!module) return tl::unexpected(module.error());
    const std::string name = cblas_name(dtype, routine);
    const auto symbol = find_blas_symbol(*module, name);
    if (!symbol) return tl::unexpected(symbol.error());
    core::NativeRung rung = symbol->decoration.integer_bits == 64
                                ? build_for<Plan, std::int64_t>(dtype, *plan, symbol->address)
                                : build_for<Plan, std::int32_t>(dtype, *plan, symbol->address);
    const CodeLocation location = locate(symbol->address);
    rung.routine = name;
    rung.symbol = symbol->name;
    rung.library = location.library;
    rung.address = location.address;
    rung.check = symbol->check;
    return rung;
}

// Sizes beyond a 32-bit BLAS integer: NumPy cuts them into chunks or leaves BLAS alone. Small-array work never gets
// there, so they are refused for 64-bit integers too.
bool is_too_big(const core::Buffer& buffer) {
    const auto beyond = [](std::ptrdiff_t value) {
        return std::abs(value) >= std::numeric_limits<std::int32_t>::max();
    };
    return std::any_of(buffer.shape.begin(), buffer.shape.end(), beyond) ||
           std::any_of(buffer.strides_bytes.begin(), buffer.strides_bytes.end(), beyond);
}

core::Status check_request(const core::NativeRequest& request) {
    const std::size_t expected = request.routine == "syrk" ? 2 : 3;
    if (request.buffers.size() != expected)
        return core::fail(core::ErrorCode::kUsage, fmt::format("{}: {} buffers, expected {}", request.routine,
                                                               request.buffers.size(), expected));
    if (const auto checked = check_buffers(request, 1); !checked) return checked;
    const std::string dtypes = dtypes_of(request);
    if (std::string_view("fdFD").find(dtypes[0]) == std::string_view::npos ||
        dtypes.find_first_not_of(dtypes[0]) != std::string::npos)
        return core::fail(core::ErrorCode::kUsage,
                          fmt::format("{}: BLAS has no routine for dtypes {}", request.routine, dtypes),
                          "all operands of one dtype: f, d, F or D");
    if (std::any_of(request.buffers.begin(), request.buffers.end(), is_too_big))
        return core::fail(core::ErrorCode::kUsage,
                          fmt::format("{}: an operand is too big for one BLAS call", request.routine));
    return {};
}

}  // namespace

core::Expected<core::NativeRung> make_blas(const core::NativeRequest& request) {
    const bool is_known =
        request.routine == "dot" || request.routine == "gemv" || request.routine == "gemm" || request.routine == "syrk";
    const std::string caller_name = option(request, "caller", "matmul");
    if (!is_known || (caller_name != "matmul" && caller_name != "dot"))
        return core::fail(
            core::ErrorCode::kUsage,
            fmt::format("no native rung for BLAS routine '{}' called by '{}'", request.routine, caller_name),
            "routines: dot, gemv, gemm, syrk; callers: matmul, dot");
    if (const auto checked = check_request(request); !checked) return tl::unexpected(checked.error());
    const Caller caller = caller_name == "dot" ? Caller::kDot : Caller::kMatmul;
    const auto& buffers = request.buffers;
    if (request.routine == "dot") return finish(request, plan_dot(buffers[0], buffers[1], buffers[2]), "dot");
    if (request.routine == "gemv")
        return finish(request, plan_gemv(caller, buffers[0], buffers[1], buffers[2]), "gemv");
    if (request.routine == "gemm") {
        const auto plan = plan_gemm(caller, buffers[0], buffers[1], buffers[2]);
        return finish(request, plan, plan && plan->is_syrk ? "syrk" : "gemm");
    }
    if (buffers[0].shape.size() != 2)
        return core::fail(core::ErrorCode::kUsage,
                          fmt::format("syrk: the operand has shape {}, not two dimensions", shape_text(buffers[0])));
    const core::Buffer flipped = transposed(buffers[0]);
    const bool flipped_first = option(request, "trans") == "1";
    const auto plan =
        plan_gemm(caller, flipped_first ? flipped : buffers[0], flipped_first ? buffers[0] : flipped, buffers[1]);
    return finish(request, plan, "syrk");
}

}  // namespace tare::benchmarks
