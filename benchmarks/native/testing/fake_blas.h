// The functions of the fake BLAS and of the fake NumPy module, shared by both. The build sets FAKE_BLAS_INT and renames
// the functions (cblas_sgemm=scipy_cblas_sgemm64_) alike for the library and the module that calls it.
#pragma once

#include <cstdint>

using FakeInt = FAKE_BLAS_INT;

#pragma GCC visibility push(default)
extern "C" {

int cblas_fake_calls();
void cblas_sgemm(int order, int trans_a, int trans_b, FakeInt m, FakeInt n, FakeInt k, float alpha, const float* a,
                 FakeInt lda, const float* b, FakeInt ldb, float beta, float* c, FakeInt ldc);
void cblas_dgemm(int order, int trans_a, int trans_b, FakeInt m, FakeInt n, FakeInt k, double alpha, const double* a,
                 FakeInt lda, const double* b, FakeInt ldb, double beta, double* c, FakeInt ldc);
void cblas_ssyrk(int order, int uplo, int trans, FakeInt n, FakeInt k, float alpha, const float* a, FakeInt lda,
                 float beta, float* c, FakeInt ldc);
void cblas_dsyrk(int order, int uplo, int trans, FakeInt n, FakeInt k, double alpha, const double* a, FakeInt lda,
                 double beta, double* c, FakeInt ldc);
void cblas_dgemv(int order, int trans, FakeInt m, FakeInt n, double alpha, const double* a, FakeInt lda,
                 const double* x, FakeInt x_step, double beta, double* y, FakeInt y_step);
double cblas_ddot(FakeInt n, const double* x, FakeInt x_step, const double* y, FakeInt y_step);
void cblas_zdotu_sub(FakeInt n, const void* x, FakeInt x_step, const void* y, FakeInt y_step, void* out);

/// In the fake module: calls the BLAS once, as NumPy would, so that lazy GOT entries get bound. Returns calls seen.
int fake_module_calls_dgemm();
}
#pragma GCC visibility pop
