// Plain loops that move, order or accumulate elements of 1-d operands. Timed region: see plain_table.h.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "benchmarks/native/plain_table.h"

namespace tare::benchmarks::plain {
namespace {

using Anything = Types<float, double, std::int64_t, std::complex<double>, bool>;

template <class T>
T* array_of(const Operand& operand) {
    return reinterpret_cast<T*>(operand.data);
}

// NaN last, as NumPy sorts; without that, `<` is no ordering and std::sort undefined.
template <class T>
bool comes_before(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) return a < b || (std::isnan(b) && !std::isnan(a));
    return a < b;
}

bool same_lengths(const Work& w) {
    return w.operands[0].length == w.operands[1].length && w.operands[0].length[0] > 0;
}

template <class T, bool C>
void execute_cumsum(void* work) {
    const Work& w = *static_cast<const Work*>(work);
    const auto in = run_of<T, C>(w.operands[0]);
    const auto out = run_of<T, C>(w.operands[1]);
    T total{};
    for (std::ptrdiff_t i = 0; i < w.operands[0].length[0]; ++i) out[i] = total = plus(total, in[i]);
}

template <class T, bool C>
void execute_cumprod(void* work) {
    const Work& w = *static_cast<const Work*>(work);
    const auto in = run_of<T, C>(w.operands[0]);
    const auto out = run_of<T, C>(w.operands[1]);
    T total(1);
    for (std::ptrdiff_t i = 0; i < w.operands[0].length[0]; ++i) out[i] = total = times(total, in[i]);
}

template <class T, bool C>
void execute_diff(void* work) {
    const Work& w = *static_cast<const Work*>(work);
    const auto in = run_of<T, C>(w.operands[0]);
    const auto out = run_of<T, C>(w.operands[1]);
    for (std::ptrdiff_t i = 0; i < w.operands[1].length[0]; ++i) out[i] = minus(in[i + 1], in[i]);
}

template <class T, bool C>
void execute_reverse(void* work) {
    const Work& w = *static_cast<const Work*>(work);
    const auto in = run_of<T, C>(w.operands[0]);
    const auto out = run_of<T, C>(w.operands[1]);
    const std::ptrdiff_t n = w.operands[0].length[0];
    for (std::ptrdiff_t i = 0; i < n; ++i) out[i] = in[n - 1 - i];
}

template <class T, bool C>
void execute_concatenate(void* work) {
    const Work& w = *static_cast<const Work*>(work);
    const auto first = run_of<T, C>(w.operands[0]);
    const auto second = run_of<T, C>(w.operands[1]);
    const auto out = run_of<T, C>(w.operands[2]);
    const std::ptrdiff_t n = w.operands[0].length[0];
    for (std::ptrdiff_t i = 0; i < n; ++i) out[i] = first[i];
    for (std::ptrdiff_t i = 0; i < w.operands[1].length[0]; ++i) out[n + i] = second[i];
}

// Indices as NumPy takes them: negative ones count from the end; out of bounds leaves the element as it was (NumPy
// raises, which the python rung would have shown first).
template <class T, bool C>
void execute_take(void* work) {
    const Work& w = *static_cast<const Work*>(work);
    const auto in = run_of<T, C>(w.operands[0]);
    const auto index = run_of<std::int64_t, C>(w.operands[1]);
    const auto out = run_of<T, C>(w.operands[2]);
    const std::ptrdiff_t n = w.operands[0].length[0];
    for (std::ptrdiff_t i = 0; i < w.operands[1].length[0]; ++i) {
        const std::int64_t at = index[i] < 0 ? index[i] + n : index[i];
        if (at >= 0 && at < n) out[i] = in[at];
    }
}

// np.add.at(out, index, values)
template <class T, bool C>
void execute_add_at(void* work) {
    const Work& w = *static_cast<const Work*>(work);
    const auto index = run_of<std::int64_t, C>(w.operands[0]);
    const auto values = run_of<T, C>(w.operands[1]);
    const auto out = run_of<T, C>(w.operands[2]);
    const std::ptrdiff_t n = w.operands[2].length[0];
    for (std::ptrdiff_t i = 0; i < w.operands[0].length[0]; ++i) {
        const std::int64_t at = index[i] < 0 ? index[i] + n : index[i];
        if (at >= 0 && at < n) out[at] = plus(out[at], values[i]);
    }
}

template <class T>
void execute_sort(void* work) {
    const Work& w = *static_cast<const Work*>(work);
    const std::ptrdiff_t n = w.operands[0].length[0];
    T* out = array_of<T>(w.operands[1]);
    std::copy_n(array_of<const T>(w.operands[0]), n, out);
    std::sort(out, out + n, comes_before<T>);
}

template <class T>
void execute_argsort(void* work) {
    const Work& w = *static_cast<const Work*>(work);
    const std::ptrdiff_t n = w.operands[0].length[0];
    const T* in = array_of<const T>(w.operands[0]);
    auto* out = array_of<std::int64_t>(w.operands[1]);
    std::iota(out, out + n, std::int64_t{0});
    std::sort(out, out + n, [in](std::int64_t a, std::int64_t b) { return comes_before(in[a], in[b]); });
}

template <class T>
void execute_searchsorted(void* work) {
    const Work& w = *static_cast<const Work*>(work);
    const T* begin = array_of<const T>(w.operands[0]);
    const T* end = begin + w.operands[0].length[0];
    const T* values = array_of<const T>(w.operands[1]);
    auto* out = array_of<std::int64_t>(w.operands[2]);
    for (std::ptrdiff_t i = 0; i < w.operands[1].length[0]; ++i)
        out[i] = std::lower_bound(begin, end, values[i], comes_before<T>) - begin;
}

template <class T, bool C>
void execute_arange(void* work) {
    const Work& w = *static_cast<const Work*>(work);
    const auto out = run_of<T, C>(w.operands[0]);
    for (std::ptrdiff_t i = 0; i < w.operands[0].length[0]; ++i) out[i] = static_cast<T>(i);
}

bool second_as_third(const Work& w) {
    return w.operands[1].length == w.operands[2].length && w.operands[0].length[0] > 0;
}
bool first_as_second(const Work& w) {
    return w.operands[0].length == w.operands[1].length && w.operands[2].length[0] > 0;
}
bool one_shorter(const Work& w) {
    return w.operands[0].length[0] == w.operands[1].length[0] + 1;
}
bool lengths_add_up(const Work& w) {
    return w.operands[0].length[0] + w.operands[1].length[0] == w.operands[2].length[0];
}
bool always(const Work&) {
    return true;
}

template <class... T>
void add_copies(Table& table, Types<T...>) {
    constexpr auto same = [](auto a) { return a; };
    (elementwise<T, T>(table, "copy", same), ...);
    (elementwise<T, T>(table, "fill", same), ...);  // a 0-d value broadcast to the output
    (elementwise<T>(table, "zeros", [] { return 0; }), ...);
    (elementwise<T>(table, "ones", [] { return 1; }), ...);
}

template <class... T>
void add_anything(Table& table, Types<T...>) {
    const auto sequence = Form::kSequence;
    (table.push_back(
         {"reverse", dtypes_text<T, T>(), sequence, execute_reverse<T, true>, execute_reverse<T, false>, same_lengths}),
     ...);
    (table.push_back({"concatenate", dtypes_text<T, T, T>(), sequence, execute_concatenate<T, true>,
                      execute_concatenate<T, false>, lengths_add_up}),
     ...);
    (table.push_back({"take", dtypes_text<T, T, std::int64_t>(), sequence, execute_take<T, true>,
                      execute_take<T, false>, second_as_third}),
     ...);
}

template <class... T>
void add_numbers(Table& table, Types<T...>) {
    const auto sequence = Form::kSequence;
    (table.push_back(
         {"cumsum", dtypes_text<T, T>(), sequence, execute_cumsum<T, true>, execute_cumsum<T, false>, same_lengths}),
     ...);
    (table.push_back(
         {"cumprod", dtypes_text<T, T>(), sequence, execute_cumprod<T, true>, execute_cumprod<T, false>, same_lengths}),
     ...);
    (table.push_back(
         {"diff", dtypes_text<T, T>(), sequence, execute_diff<T, true>, execute_diff<T, false>, one_shorter}),
     ...);
    (table.push_back({"add_at", dtypes_text<T, std::int64_t, T>(), sequence, execute_add_at<T, true>,
                      execute_add_at<T, false>, first_as_second}),
     ...);
}

template <class... T>
void add_ordered(Table& table, Types<T...>) {
    const auto sequence = Form::kSequence;
    (table.push_back({"sort", dtypes_text<T, T>(), sequence, execute_sort<T>, nullptr, same_lengths}), ...);
    (table.push_back({"argsort", dtypes_text<std::int64_t, T>(), sequence, execute_argsort<T>, nullptr, same_lengths}),
     ...);
    (table.push_back({"searchsorted", dtypes_text<std::int64_t, T, T>(), sequence, execute_searchsorted<T>, nullptr,
                      second_as_third}),
     ...);
    (table.push_back({"arange", dtypes_text<T>(), sequence, execute_arange<T, true>, execute_arange<T, false>, always}),
     ...);
}

}  // namespace

void add_sequences(Table& table) {
    add_copies(table, Anything{});
    constexpr auto same = [](auto a) { return a; };
    elementwise<double, std::int64_t>(table, "copy", same);
    elementwise<double, float>(table, "copy", same);
    elementwise<float, double>(table, "copy", same);
    elementwise<std::complex<double>, double>(table, "copy", same);
    add_anything(table, Anything{});
    add_numbers(table, Number{});
    add_ordered(table, Real{});
}

}  // namespace tare::benchmarks::plain
