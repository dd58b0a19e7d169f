// Plain triple loops over 2-d operands of any strides. Timed region: see plain_table.h.
#include "benchmarks/native/plain_table.h"

namespace tare::benchmarks::plain {
namespace {

template <class T>
struct Matrix {
    char* data;
    std::ptrdiff_t rows, columns, row_step_bytes, column_step_bytes;

    T& operator()(std::ptrdiff_t i, std::ptrdiff_t j) const {
        return *reinterpret_cast<T*>(data + i * row_step_bytes + j * column_step_bytes);
    }
    Matrix transposed() const { return {data, columns, rows, column_step_bytes, row_step_bytes}; }
};

// A vector reads as a matrix of one column.
template <class T>
Matrix<T> matrix_of(const Operand& o) {
    return {o.data, o.length[0], o.length[1], o.step_bytes[0], o.step_bytes[1]};
}

template <class T>
void multiply(const Matrix<T>& a, const Matrix<T>& b, const Matrix<T>& out) {
    for (std::ptrdiff_t i = 0; i < a.rows; ++i)
        for (std::ptrdiff_t j = 0; j < b.columns; ++j) {
            T total{};
            for (std::ptrdiff_t k = 0; k < a.columns; ++k) total = plus(total, times(a(i, k), b(k, j)));
            out(i, j) = total;
        }
}

template <class T>
void execute_matmul(void* work) {
    const Work& w = *static_cast<const Work*>(work);
    multiply(matrix_of<T>(w.operands[0]), matrix_of<T>(w.operands[1]), matrix_of<T>(w.operands[2]));
}

// The same with rows in one piece: the inner loop runs along them, so the compiler vectorises it.
template <class T>
void execute_matmul_by_rows(void* work) {
    const Work& w = *static_cast<const Work*>(work);
    const auto a = matrix_of<T>(w.operands[0]);
    const auto b = matrix_of<T>(w.operands[1]);
    const auto out = matrix_of<T>(w.operands[2]);
    for (std::ptrdiff_t i = 0; i < a.rows; ++i) {
        T* const out_row = &out(i, 0);
        for (std::ptrdiff_t j = 0; j < b.columns; ++j) out_row[j] = T{};
        for (std::ptrdiff_t k = 0; k < a.columns; ++k) {
            const T factor = a(i, k);
            const T* const b_row = &b(k, 0);
            for (std::ptrdiff_t j = 0; j < b.columns; ++j) out_row[j] = plus(out_row[j], times(factor, b_row[j]));
        }
    }
}

template <class T>
void execute_vecmat(void* work) {
    const Work& w = *static_cast<const Work*>(work);
    multiply(matrix_of<T>(w.operands[1]).transposed(), matrix_of<T>(w.operands[0]), matrix_of<T>(w.operands[2]));
}

template <class T>
void execute_matmul_t(void* work) {
    const Work& w = *static_cast<const Work*>(work);
    const auto a = matrix_of<T>(w.operands[0]);
    multiply(a, a.transposed(), matrix_of<T>(w.operands[1]));
}

template <class T>
void execute_t_matmul(void* work) {
    const Work& w = *static_cast<const Work*>(work);
    const auto a = matrix_of<T>(w.operands[0]);
    multiply(a.transposed(), a, matrix_of<T>(w.operands[1]));
}

template <class T>
void execute_outer(void* work) {
    const Work& w = *static_cast<const Work*>(work);
    multiply(matrix_of<T>(w.operands[0]), matrix_of<T>(w.operands[1]).transposed(), matrix_of<T>(w.operands[2]));
}

template <class T>
void execute_transpose(void* work) {
    const Work& w = *static_cast<const Work*>(work);
    const auto in = matrix_of<T>(w.operands[0]);
    const auto out = matrix_of<T>(w.operands[1]);
    for (std::ptrdiff_t i = 0; i < out.rows; ++i)
        for (std::ptrdiff_t j = 0; j < out.columns; ++j) out(i, j) = in(j, i);
}

template <class T>
void execute_trace(void* work) {
    const Work& w = *static_cast<const Work*>(work);
    const auto in = matrix_of<T>(w.operands[0]);
    T total{};
    for (std::ptrdiff_t i = 0; i < in.rows; ++i) total = plus(total, in(i, i));
    *reinterpret_cast<T*>(w.operands[1].data) = total;
}

template <class T>
void execute_eye(void* work) {
    const Work& w = *static_cast<const Work*>(work);
    const auto out = matrix_of<T>(w.operands[0]);
    for (std::ptrdiff_t i = 0; i < out.rows; ++i)
        for (std::ptrdiff_t j = 0; j < out.columns; ++j) out(i, j) = i == j ? T(1) : T(0);
}

using Lengths = std::array<std::ptrdiff_t, 2>;

bool product_fits(const Work& w) {
    const auto& [a, b, out, unused] = w.operands;
    return a.length[1] == b.length[0] && out.length == Lengths{a.length[0], b.length[1]};
}
bool vecmat_fits(const Work& w) {
    const auto& [x, a, out, unused] = w.operands;
    return x.length == Lengths{a.length[0], 1} && out.length == Lengths{a.length[1], 1};
}
bool rows_squared(const Work& w) {
    return w.operands[1].length == Lengths{w.operands[0].length[0], w.operands[0].length[0]};
}
bool columns_squared(const Work& w) {
    return w.operands[1].length == Lengths{w.operands[0].length[1], w.operands[0].length[1]};
}
bool outer_fits(const Work& w) {
    const auto& [x, y, out, unused] = w.operands;
    return x.length[1] == 1 && y.length[1] == 1 && out.length == Lengths{x.length[0], y.length[0]};
}
bool flipped_fits(const Work& w) {
    return w.operands[1].length == Lengths{w.operands[0].length[1], w.operands[0].length[0]};
}
bool square_to_one(const Work& w) {
    return w.operands[0].length[0] == w.operands[0].length[1] && w.operands[1].length == Lengths{1, 1};
}
bool always(const Work&) {
    return true;
}

template <class... T>
void add_all(Table& table, Types<T...>) {
    const auto add = [&](std::string_view routine, std::string dtypes, Execute execute, bool (*fits)(const Work&)) {
        table.push_back({routine, std::move(dtypes), Form::kMatrix, execute, execute, fits});
    };
    (table.push_back(
         {"matmul", dtypes_text<T, T, T>(), Form::kMatrix, execute_matmul_by_rows<T>, execute_matmul<T>, product_fits}),
     ...);
    (add("matvec", dtypes_text<T, T, T>(), execute_matmul<T>, product_fits), ...);
    (add("vecmat", dtypes_text<T, T, T>(), execute_vecmat<T>, vecmat_fits), ...);
    (add("matmul_t", dtypes_text<T, T>(), execute_matmul_t<T>, rows_squared), ...);
    (add("t_matmul", dtypes_text<T, T>(), execute_t_matmul<T>, columns_squared), ...);
    (add("outer", dtypes_text<T, T, T>(), execute_outer<T>, outer_fits), ...);
    (add("transpose", dtypes_text<T, T>(), execute_transpose<T>, flipped_fits), ...);
    (add("trace", dtypes_text<T, T>(), execute_trace<T>, square_to_one), ...);
    (add("eye", dtypes_text<T>(), execute_eye<T>, always), ...);
}

}  // namespace

void add_matrices(Table& table) {
    add_all(table, Number{});
}

}  // namespace tare::benchmarks::plain
