// At stake: a worker that itself links a BLAS moves NumPy's cblas_dgemm to that one (seen: linking -lopenblas did).
// This program makes the same mistake on purpose: the GOT check must notice that dlsym answers with another library.
#include <dlfcn.h>
#include <gmock/gmock.h>

#include "benchmarks/native/blas_facts.h"
#include "benchmarks/native/testing/buffers.h"
#include "benchmarks/native/testing/fake_blas.h"

namespace tare::benchmarks {
namespace {

using ::testing::HasSubstr;

TEST(AnotherBlasLoadedFirst, IsAnErrorThatNamesBoth) {
    EXPECT_EQ(cblas_fake_calls(), 0);  // keeps the other BLAS linked
    void* handle = dlopen(FAKE_MODULE_PLAIN, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(handle, nullptr) << dlerror();
    std::vector<double> a(4);
    const auto matrix = testing::buffer(a.data(), {2, 2});
    const auto made = make_native({.family = "blas",
                                   .routine = "gemm",
                                   .buffers = {matrix, matrix, matrix},
                                   .loop = {},
                                   .options = {{"numpy_module", FAKE_MODULE_PLAIN}}});
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().what, HasSubstr("cblas_dgemm is libfake_blas_plain.so+0x"));
    EXPECT_THAT(made.error().what, HasSubstr("but libfake_blas_other.so+0x"));
    EXPECT_THAT(blas_facts(FAKE_MODULE_PLAIN)["reason"].as_text(), HasSubstr("another BLAS"));
    dlclose(handle);
}

}  // namespace
}  // namespace tare::benchmarks
