// Plain elementwise loops: arithmetic, comparisons, choice. Timed region: see plain_table.h.
#include <cmath>

#include "benchmarks/native/plain_table.h"

namespace tare::benchmarks::plain {
namespace {

template <class Op, class... T>
void unary(Table& table, std::string_view routine, Op op, Types<T...>) {
    (elementwise<T, T>(table, routine, op), ...);
}
template <class Op, class... T>
void binary(Table& table, std::string_view routine, Op op, Types<T...>) {
    (elementwise<T, T, T>(table, routine, op), ...);
}
template <class Op, class... T>
void ternary(Table& table, std::string_view routine, Op op, Types<T...>) {
    (elementwise<T, T, T, T>(table, routine, op), ...);
}
template <class Op, class... T>
void predicate(Table& table, std::string_view routine, Op op, Types<T...>) {
    (elementwise<bool, T>(table, routine, op), ...);
}
template <class Op, class... T>
void comparison(Table& table, std::string_view routine, Op op, Types<T...>) {
    (elementwise<bool, T, T>(table, routine, op), ...);
}
template <class... T>
void choice(Table& table, Types<T...>) {
    (elementwise<T, bool, T, T>(table, "where", [](bool c, auto a, auto b) { return c ? a : b; }), ...);
}

using Anything = Types<float, double, std::int64_t, std::complex<double>, bool>;

}  // namespace

void add_arithmetic(Table& table) {
    binary(
        table, "add", [](auto a, auto b) { return plus(a, b); }, Number{});
    binary(
        table, "subtract", [](auto a, auto b) { return minus(a, b); }, Number{});
    binary(
        table, "multiply", [](auto a, auto b) { return times(a, b); }, Number{});
    binary(
        table, "divide", [](auto a, auto b) { return a / b; }, Inexact{});
    elementwise<double, std::int64_t, std::int64_t>(table, "divide", [](std::int64_t a, std::int64_t b) {
        return static_cast<double>(a) / static_cast<double>(b);
    });
    binary(
        table, "maximum", [](auto a, auto b) { return a < b ? b : a; }, Real{});
    binary(
        table, "minimum", [](auto a, auto b) { return b < a ? b : a; }, Real{});
    ternary(
        table, "clip", [](auto x, auto low, auto high) { return x < low    ? low
                                                                : high < x ? high
                                                                           : x; }, Real{});

    unary(
        table, "negative", [](auto a) { return minus(decltype(a){}, a); }, Types<std::int64_t>{});
    unary(
        table, "negative", [](auto a) { return -a; }, Inexact{});
    unary(
        table, "positive", [](auto a) { return a; }, Number{});
    unary(
        table, "square", [](auto a) { return times(a, a); }, Number{});
    unary(
        table, "reciprocal", [](auto a) { return decltype(a)(1) / a; }, Inexact{});
    unary(
        table, "absolute", [](auto a) { return a < 0 ? minus(decltype(a){}, a) : a; }, Types<std::int64_t>{});
    unary(
        table, "absolute", [](auto a) { return std::abs(a); }, Floating{});
    elementwise<double, std::complex<double>>(table, "absolute", [](std::complex<double> a) { return std::abs(a); });
    unary(
        table, "conjugate", [](auto a) { return a; }, Real{});
    unary(
        table, "conjugate", [](auto a) { return std::conj(a); }, Types<std::complex<double>>{});
    elementwise<double, std::complex<double>>(table, "real", [](std::complex<double> a) { return a.real(); });
    elementwise<double, std::complex<double>>(table, "imag", [](std::complex<double> a) { return a.imag(); });
}

void add_comparisons(Table& table) {
    comparison(
        table, "less", [](auto a, auto b) { return a < b; }, Real{});
    comparison(
        table, "less_equal", [](auto a, auto b) { return a <= b; }, Real{});
    comparison(
        table, "greater", [](auto a, auto b) { return a > b; }, Real{});
    comparison(
        table, "greater_equal", [](auto a, auto b) { return a >= b; }, Real{});
    comparison(
        table, "equal", [](auto a, auto b) { return a == b; }, Anything{});
    comparison(
        table, "not_equal", [](auto a, auto b) { return a != b; }, Anything{});
    comparison(
        table, "logical_and", [](auto a, auto b) { return a != decltype(a){} && b != decltype(b){}; }, Anything{});
    comparison(
        table, "logical_or", [](auto a, auto b) { return a != decltype(a){} || b != decltype(b){}; }, Anything{});
    predicate(
        table, "logical_not", [](auto a) { return a == decltype(a){}; }, Anything{});
    predicate(
        table, "isnan", [](auto a) { return std::isnan(a); }, Floating{});
    predicate(
        table, "isfinite", [](auto a) { return std::isfinite(a); }, Floating{});
    predicate(
        table, "isinf", [](auto a) { return std::isinf(a); }, Floating{});
    choice(table, Anything{});
}

void add_mathematics(Table& table) {
    unary(
        table, "sqrt", [](auto a) { return std::sqrt(a); }, Inexact{});
    unary(
        table, "exp", [](auto a) { return std::exp(a); }, Inexact{});
    unary(
        table, "log", [](auto a) { return std::log(a); }, Inexact{});
    unary(
        table, "sin", [](auto a) { return std::sin(a); }, Inexact{});
    unary(
        table, "cos", [](auto a) { return std::cos(a); }, Inexact{});
    unary(
        table, "tan", [](auto a) { return std::tan(a); }, Inexact{});
    unary(
        table, "tanh", [](auto a) { return std::tanh(a); }, Inexact{});
    unary(
        table, "arctan", [](auto a) { return std::atan(a); }, Inexact{});
    unary(
        table, "expm1", [](auto a) { return std::expm1(a); }, Floating{});
    unary(
        table, "log1p", [](auto a) { return std::log1p(a); }, Floating{});
    unary(
        table, "floor", [](auto a) { return std::floor(a); }, Floating{});
    unary(
        table, "ceil", [](auto a) { return std::ceil(a); }, Floating{});
    unary(
        table, "trunc", [](auto a) { return std::trunc(a); }, Floating{});
    unary(
        table, "rint", [](auto a) { return std::rint(a); }, Floating{});
    binary(
        table, "power", [](auto a, auto b) { return std::pow(a, b); }, Inexact{});
    binary(
        table, "hypot", [](auto a, auto b) { return std::hypot(a, b); }, Floating{});
    binary(
        table, "arctan2", [](auto a, auto b) { return std::atan2(a, b); }, Floating{});
    binary(
        table, "copysign", [](auto a, auto b) { return std::copysign(a, b); }, Floating{});
}

}  // namespace tare::benchmarks::plain
