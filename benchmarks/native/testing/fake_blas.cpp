// A small true BLAS (float and double gemm, syrk, gemv, dot; complex dot) that counts its calls, built under several
// names: the build renames its functions, so that tests meet every decoration without a real BLAS.
#include "benchmarks/native/testing/fake_blas.h"

#include <complex>

namespace {

int calls = 0;

constexpr int kColMajor = 102;
constexpr int kTrans = 112;

template <class T>
void gemm(int trans_a, int trans_b, FakeInt m, FakeInt n, FakeInt k, T alpha, const T* a, FakeInt lda, const T* b,
          FakeInt ldb, T beta, T* c, FakeInt ldc) {
    ++calls;
    for (FakeInt i = 0; i < m; ++i)
        for (FakeInt j = 0; j < n; ++j) {
            T total = 0;
            for (FakeInt p = 0; p < k; ++p)
                total += (trans_a == kTrans ? a[p * lda + i] : a[i * lda + p]) *
                         (trans_b == kTrans ? b[j * ldb + p] : b[p * ldb + j]);
            c[i * ldc + j] = alpha * total + (beta == T(0) ? T(0) : beta * c[i * ldc + j]);
        }
}

// Upper triangle only, as asked for: the lower one is left untouched.
template <class T>
void syrk(int trans, FakeInt n, FakeInt k, T alpha, const T* a, FakeInt lda, T* c, FakeInt ldc) {
    ++calls;
    for (FakeInt i = 0; i < n; ++i)
        for (FakeInt j = i; j < n; ++j) {
            T total = 0;
            for (FakeInt p = 0; p < k; ++p)
                total += trans == kTrans ? a[p * lda + i] * a[p * lda + j] : a[i * lda + p] * a[j * lda + p];
            c[i * ldc + j] = alpha * total;
        }
}

template <class T>
void gemv(int order, int trans, FakeInt m, FakeInt n, T alpha, const T* a, FakeInt lda, const T* x, FakeInt x_step,
          T* y, FakeInt y_step) {
    ++calls;
    const FakeInt rows = trans == kTrans ? n : m;
    const FakeInt columns = trans == kTrans ? m : n;
    for (FakeInt i = 0; i < rows; ++i) {
        T total = 0;
        for (FakeInt j = 0; j < columns; ++j) {
            const FakeInt row = trans == kTrans ? j : i;
            const FakeInt column = trans == kTrans ? i : j;
            total += (order == kColMajor ? a[column * lda + row] : a[row * lda + column]) * x[j * x_step];
        }
        y[i * y_step] = alpha * total;
    }
}

template <class T>
T dot(FakeInt n, const T* x, FakeInt x_step, const T* y, FakeInt y_step) {
    ++calls;
    T total = 0;
    for (FakeInt i = 0; i < n; ++i) total += x[i * x_step] * y[i * y_step];
    return total;
}

}  // namespace

extern "C" {

int cblas_fake_calls() {
    return calls;
}

void cblas_sgemm(int, int ta, int tb, FakeInt m, FakeInt n, FakeInt k, float alpha, const float* a, FakeInt lda,
                 const float* b, FakeInt ldb, float beta, float* c, FakeInt ldc) {
    gemm(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
void cblas_dgemm(int, int ta, int tb, FakeInt m, FakeInt n, FakeInt k, double alpha, const double* a, FakeInt lda,
                 const double* b, FakeInt ldb, double beta, double* c, FakeInt ldc) {
    gemm(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
void cblas_ssyrk(int, int, int trans, FakeInt n, FakeInt k, float alpha, const float* a, FakeInt lda, float, float* c,
                 FakeInt ldc) {
    syrk(trans, n, k, alpha, a, lda, c, ldc);
}
void cblas_dsyrk(int, int, int trans, FakeInt n, FakeInt k, double alpha, const double* a, FakeInt lda, double,
                 double* c, FakeInt ldc) {
    syrk(trans, n, k, alpha, a, lda, c, ldc);
}
void cblas_dgemv(int order, int trans, FakeInt m, FakeInt n, double alpha, const double* a, FakeInt lda,
                 const double* x, FakeInt x_step, double, double* y, FakeInt y_step) {
    gemv(order, trans, m, n, alpha, a, lda, x, x_step, y, y_step);
}
double cblas_ddot(FakeInt n, const double* x, FakeInt x_step, const double* y, FakeInt y_step) {
    return dot(n, x, x_step, y, y_step);
}
void cblas_zdotu_sub(FakeInt n, const void* x, FakeInt x_step, const void* y, FakeInt y_step, void* out) {
    using Complex = std::complex<double>;
    *static_cast<Complex*>(out) =
        dot(n, static_cast<const Complex*>(x), x_step, static_cast<const Complex*>(y), y_step);
}

}  // extern "C"
