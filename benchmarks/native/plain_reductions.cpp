// Plain loops that fold a run into one element, left to right. Timed region: see plain_table.h.
#include <cmath>

#include "benchmarks/native/plain_table.h"

namespace tare::benchmarks::plain {
namespace {

template <class Runs>
using ElementOf = std::remove_cvref_t<decltype(std::declval<Runs>()[0])>;

struct Sum {
    template <class In>
    auto operator()(std::ptrdiff_t n, In in) const {
        ElementOf<In> total{};
        for (std::ptrdiff_t i = 0; i < n; ++i) total = plus(total, in[i]);
        return total;
    }
};

struct Product {
    template <class In>
    auto operator()(std::ptrdiff_t n, In in) const {
        ElementOf<In> total(1);
        for (std::ptrdiff_t i = 0; i < n; ++i) total = times(total, in[i]);
        return total;
    }
};

struct CountNonzero {
    template <class In>
    std::int64_t operator()(std::ptrdiff_t n, In in) const {
        std::int64_t count = 0;
        for (std::ptrdiff_t i = 0; i < n; ++i) count += in[i] != ElementOf<In>{};
        return count;
    }
};

struct Mean {
    template <class In>
    auto operator()(std::ptrdiff_t n, In in) const {
        const auto total = Sum{}(n, in);
        if constexpr (std::is_same_v<ElementOf<In>, float>)
            return total / static_cast<float>(n);
        else if constexpr (std::is_same_v<ElementOf<In>, std::int64_t>)
            return static_cast<double>(total) / static_cast<double>(n);
        else
            return total / static_cast<double>(n);
    }
};

// Two passes, as np.var: mean, then the mean of squared distances.
struct Variance {
    template <class In>
    auto operator()(std::ptrdiff_t n, In in) const {
        const auto mean = Mean{}(n, in);
        ElementOf<In> total{};
        for (std::ptrdiff_t i = 0; i < n; ++i) total += (in[i] - mean) * (in[i] - mean);
        return total / static_cast<ElementOf<In>>(n);
    }
};

struct Deviation {
    template <class In>
    auto operator()(std::ptrdiff_t n, In in) const {
        return std::sqrt(Variance{}(n, in));
    }
};

struct Greatest {
    template <class In>
    auto operator()(std::ptrdiff_t n, In in) const {
        auto best = in[0];
        for (std::ptrdiff_t i = 1; i < n; ++i) best = best < in[i] ? in[i] : best;
        return best;
    }
};

struct Least {
    template <class In>
    auto operator()(std::ptrdiff_t n, In in) const {
        auto best = in[0];
        for (std::ptrdiff_t i = 1; i < n; ++i) best = in[i] < best ? in[i] : best;
        return best;
    }
};

struct Range {
    template <class In>
    auto operator()(std::ptrdiff_t n, In in) const {
        return minus(Greatest{}(n, in), Least{}(n, in));
    }
};

struct WhereGreatest {
    template <class In>
    std::int64_t operator()(std::ptrdiff_t n, In in) const {
        std::ptrdiff_t best = 0;
        for (std::ptrdiff_t i = 1; i < n; ++i) best = in[best] < in[i] ? i : best;
        return best;
    }
};

struct WhereLeast {
    template <class In>
    std::int64_t operator()(std::ptrdiff_t n, In in) const {
        std::ptrdiff_t best = 0;
        for (std::ptrdiff_t i = 1; i < n; ++i) best = in[i] < in[best] ? i : best;
        return best;
    }
};

struct Any {
    template <class In>
    bool operator()(std::ptrdiff_t n, In in) const {
        for (std::ptrdiff_t i = 0; i < n; ++i)
            if (in[i] != ElementOf<In>{}) return true;
        return false;
    }
};

struct All {
    template <class In>
    bool operator()(std::ptrdiff_t n, In in) const {
        for (std::ptrdiff_t i = 0; i < n; ++i)
            if (in[i] == ElementOf<In>{}) return false;
        return true;
    }
};

struct Dot {
    template <class In>
    auto operator()(std::ptrdiff_t n, In x, In y) const {
        ElementOf<In> total{};
        for (std::ptrdiff_t i = 0; i < n; ++i) total = plus(total, times(x[i], y[i]));
        return total;
    }
};

// np.vdot: the first operand conjugated.
struct ConjugateDot {
    template <class In>
    auto operator()(std::ptrdiff_t n, In x, In y) const {
        ElementOf<In> total{};
        for (std::ptrdiff_t i = 0; i < n; ++i) total += std::conj(x[i]) * y[i];
        return total;
    }
};

struct EuclideanNorm {
    template <class In>
    auto operator()(std::ptrdiff_t n, In x) const {
        return std::sqrt(Dot{}(n, x, x));
    }
};

template <class Op, class... T>
void same_type(Table& table, std::string_view routine, Op op, Types<T...>) {
    (reduction<T, T>(table, routine, op), ...);
}
template <class R, class Op, class... T>
void into(Table& table, std::string_view routine, Op op, Types<T...>) {
    (reduction<R, T>(table, routine, op), ...);
}
template <class Op, class... T>
void of_two(Table& table, std::string_view routine, Op op, Types<T...>) {
    (reduction<T, T, T>(table, routine, op), ...);
}

using Anything = Types<float, double, std::int64_t, std::complex<double>, bool>;

}  // namespace

void add_reductions(Table& table) {
    same_type(table, "sum", Sum{}, Number{});
    into<std::int64_t>(table, "sum", CountNonzero{}, Types<bool>{});
    same_type(table, "prod", Product{}, Number{});
    same_type(table, "mean", Mean{}, Inexact{});
    into<double>(table, "mean", Mean{}, Types<std::int64_t>{});
    same_type(table, "var", Variance{}, Floating{});
    same_type(table, "std", Deviation{}, Floating{});
    same_type(table, "max", Greatest{}, Real{});
    same_type(table, "min", Least{}, Real{});
    same_type(table, "ptp", Range{}, Real{});
    into<std::int64_t>(table, "argmax", WhereGreatest{}, Real{});
    into<std::int64_t>(table, "argmin", WhereLeast{}, Real{});
    into<std::int64_t>(table, "count_nonzero", CountNonzero{}, Anything{});
    into<bool>(table, "any", Any{}, Anything{});
    into<bool>(table, "all", All{}, Anything{});
    of_two(table, "dot", Dot{}, Number{});
    of_two(table, "vdot", Dot{}, Real{});
    of_two(table, "vdot", ConjugateDot{}, Types<std::complex<double>>{});
    same_type(table, "norm", EuclideanNorm{}, Floating{});
}

}  // namespace tare::benchmarks::plain
