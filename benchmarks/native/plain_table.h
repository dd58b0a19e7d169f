// What a plain rung is made of: operands as runs of memory or matrices, and the table of routines by dtypes.
// The Execute functions run in the timed region: no allocation, no branch on configuration.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "benchmarks/native/execution.h"

namespace tare::benchmarks::plain {

/// One operand; lengths in elements, steps in bytes. Vectors and scalars use the first entry only.
struct Operand {
    char* data = nullptr;
    std::array<std::ptrdiff_t, 2> length{1, 1};
    std::array<std::ptrdiff_t, 2> step_bytes{0, 0};
};

struct Work {
    std::array<Operand, 4> operands{};  ///< inputs, then the output
    std::ptrdiff_t n = 0;               ///< elements of the common run (elementwise, reduction)
};

/// How operands must fit together, and so how they are checked.
enum class Form {
    kElementwise,  ///< inputs broadcast to the output; all together one run
    kReduction,    ///< inputs of one shape, together one run; a 0-d output
    kSequence,     ///< 1-d operands of their own lengths; the routine's own rule relates them
    kMatrix,       ///< 1-d and 2-d operands of their own lengths
};

struct Entry {
    std::string_view routine;
    std::string dtypes;  ///< inputs, then the output
    Form form = Form::kElementwise;
    Execute contiguous = nullptr;  ///< all steps are item sizes; of matrices those along rows
    Execute strided = nullptr;
    bool (*fits)(const Work&) = nullptr;  ///< whether lengths go together (kSequence, kMatrix)
};

using Table = std::vector<Entry>;

void add_arithmetic(Table& table);
void add_mathematics(Table& table);
void add_comparisons(Table& table);
void add_reductions(Table& table);
void add_sequences(Table& table);
void add_matrices(Table& table);

template <class... T>
struct Types {};
using Real = Types<float, double, std::int64_t>;
using Floating = Types<float, double>;
using Number = Types<float, double, std::int64_t, std::complex<double>>;
using Inexact = Types<float, double, std::complex<double>>;

template <class T>
constexpr char type_character() {
    if constexpr (std::is_same_v<T, float>) return 'f';
    if constexpr (std::is_same_v<T, double>) return 'd';
    if constexpr (std::is_same_v<T, std::int64_t>) return 'l';
    if constexpr (std::is_same_v<T, std::complex<double>>) return 'D';
    if constexpr (std::is_same_v<T, bool>) return '?';
}

/// A run of elements; where it is contiguous the compiler sees a plain array.
template <class T, bool Contiguous>
struct Run {
    char* data;
    std::ptrdiff_t step_bytes;

    T& operator[](std::ptrdiff_t i) const {
        if constexpr (Contiguous)
            return reinterpret_cast<T*>(data)[i];
        else
            return *reinterpret_cast<T*>(data + i * step_bytes);
    }
};

template <class T, bool Contiguous>
Run<T, Contiguous> run_of(const Operand& operand) {
    return {operand.data, operand.step_bytes[0]};
}

/// out[i] = Op(in[i]...)
template <class Op, bool Contiguous, class R, class... T>
void execute_elementwise(void* work) {
    const Work& w = *static_cast<const Work*>(work);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        const auto out = run_of<R, Contiguous>(w.operands[sizeof...(T)]);
        const std::ptrdiff_t n = w.n;
        [&](auto... in) {
            for (std::ptrdiff_t i = 0; i < n; ++i) out[i] = static_cast<R>(Op{}(in[i]...));
        }(run_of<T, Contiguous>(w.operands[I])...);
    }
    (std::index_sequence_for<T...>{});
}

/// out = Op(n, in...)
template <class Op, bool Contiguous, class R, class... T>
void execute_fold(void* work) {
    const Work& w = *static_cast<const Work*>(work);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        const auto result = Op{}(w.n, run_of<T, Contiguous>(w.operands[I])...);
        *reinterpret_cast<R*>(w.operands[sizeof...(T)].data) = static_cast<R>(result);
    }
    (std::index_sequence_for<T...>{});
}

template <class R, class... T>
std::string dtypes_text() {
    return {type_character<T>()..., type_character<R>()};
}

template <class R, class... T, class Op>
void elementwise(Table& table, std::string_view routine, Op) {
    table.push_back({routine, dtypes_text<R, T...>(), Form::kElementwise, execute_elementwise<Op, true, R, T...>,
                     execute_elementwise<Op, false, R, T...>});
}

template <class R, class... T, class Op>
void reduction(Table& table, std::string_view routine, Op) {
    table.push_back({routine, dtypes_text<R, T...>(), Form::kReduction, execute_fold<Op, true, R, T...>,
                     execute_fold<Op, false, R, T...>});
}

// NumPy's integers wrap around; C++'s must not overflow, so they are computed unsigned.

template <class T, class Op>
T wrapped(T a, T b, Op op) {
    if constexpr (std::is_same_v<T, std::int64_t>)
        return static_cast<std::int64_t>(op(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)));
    else
        return op(a, b);
}
template <class T>
T plus(T a, T b) {
    return wrapped(a, b, [](auto x, auto y) { return x + y; });
}
template <class T>
T minus(T a, T b) {
    return wrapped(a, b, [](auto x, auto y) { return x - y; });
}
template <class T>
T times(T a, T b) {
    return wrapped(a, b, [](auto x, auto y) { return x * y; });
}

}  // namespace tare::benchmarks::plain
