// Stands for NumPy's _multiarray_umath: a shared object whose relocations name the fake BLAS's functions.
#include "benchmarks/native/testing/fake_blas.h"

namespace {

// Addresses taken, so that each function has a relocation even where it is not called.
[[maybe_unused]] void (*volatile const keep_sgemm)(int, int, int, FakeInt, FakeInt, FakeInt, float, const float*,
                                                   FakeInt, const float*, FakeInt, float, float*,
                                                   FakeInt) = &cblas_sgemm;

}  // namespace

extern "C" int fake_module_calls_dgemm() {
    double one = 1, out = 0, two[2] = {1, 2};
    cblas_dgemm(101, 111, 111, 1, 1, 1, 1.0, &one, 1, &one, 1, 0.0, &out, 1);
    cblas_dsyrk(101, 121, 111, 1, 1, 1.0, &one, 1, 0.0, &out, 1);
    float f = 1, fout = 0;
    cblas_ssyrk(101, 121, 111, 1, 1, 1.0F, &f, 1, 0.0F, &fout, 1);
    cblas_sgemm(101, 111, 111, 1, 1, 1, 1.0F, &f, 1, &f, 1, 0.0F, &fout, 1);
    cblas_dgemv(101, 111, 1, 1, 1.0, &one, 1, &one, 1, 0.0, &out, 1);
    cblas_zdotu_sub(1, two, 1, two, 1, two);
    out += cblas_ddot(1, &one, 1, &one, 1);
    return out > 0 ? cblas_fake_calls() : -1;
}
