// At stake: whether `A @ B` went through sgemm_nn or a small-matrix kernel, on which core, is read off these names.
// Forms as `nm` shows them of NumPy's wheels (OpenBLAS 0.3.21 to 0.3.31) and of Debian's libopenblas.
#include "harness/attribution/blas_name.h"

#include <gmock/gmock.h>

namespace tare::attribution {
namespace {

using enum BlasRole;

struct Case {
    std::string function;
    BlasName name;
};

const Case kCases[] = {
    {"cblas_sgemm", {kInterface, "s", "gemm", "", "", false}},
    {"scipy_cblas_sgemm64_", {kInterface, "s", "gemm", "", "", false}},
    {"cblas_dgemm64_", {kInterface, "d", "gemm", "", "", false}},
    {"cblas_dgemm_64", {kInterface, "d", "gemm", "", "", false}},
    {"sgemm_", {kInterface, "s", "gemm", "", "", false}},
    {"scipy_sgemm_64_", {kInterface, "s", "gemm", "", "", false}},
    {"cblas_zher2k64_", {kInterface, "z", "her2k", "", "", false}},
    {"cblas_cher264_", {kInterface, "c", "her2", "", "", false}},
    {"cblas_idamax", {kInterface, "d", "iamax", "", "", false}},
    {"idamax_", {kInterface, "d", "iamax", "", "", false}},
    {"scipy_cblas_dznrm264_", {kInterface, "z", "nrm2", "", "", false}},
    {"cblas_scasum", {kInterface, "c", "asum", "", "", false}},
    {"cblas_csscal", {kInterface, "c", "scal", "", "", false}},
    {"zdrot_", {kInterface, "z", "rot", "", "", false}},
    {"cblas_dsdot", {kInterface, "s", "dsdot", "", "", false}},
    {"cblas_sdsdot", {kInterface, "s", "sdsdot", "", "", false}},
    {"cblas_cdotc_sub", {kInterface, "c", "dotc", "", "", false}},
    {"cblas_sbgemm", {kInterface, "sb", "gemm", "", "", false}},
    {"cblas_ssbmv", {kInterface, "s", "sbmv", "", "", false}},
    {"scipy_dgesv_64_", {kInterface, "d", "gesv", "", "", false}},
    {"dlasr_64_", {kInterface, "d", "lasr", "", "", false}},
    {"scipy_chesv_rook_64_", {kInterface, "c", "hesv_rook", "", "", false}},
    {"xgemm3m_", {kInterface, "x", "gemm3m", "", "", false}},
    {"scipy_LAPACKE_dgesv64_", {kInterface, "d", "gesv", "", "", false}},
    {"sgemm_nn", {kDriver, "s", "gemm", "nn", "", false}},
    {"zgemm3m_rc", {kDriver, "z", "gemm3m", "rc", "", false}},
    {"sgemm_thread_nn", {kDriver, "s", "gemm", "nn", "", false}},
    {"ssyrk_LT", {kDriver, "s", "syrk", "LT", "", false}},
    {"ssyrk_thread_LT", {kDriver, "s", "syrk", "LT", "", false}},
    {"dtrsm_LNUN", {kDriver, "d", "trsm", "LNUN", "", false}},
    {"dgemv_t", {kDriver, "d", "gemv", "t", "", false}},
    {"dgemv_thread_n", {kDriver, "d", "gemv", "n", "", false}},
    {"dtrsv_NUN", {kDriver, "d", "trsv", "NUN", "", false}},
    {"ssbmv_L", {kDriver, "s", "sbmv", "L", "", false}},
    {"dger_thread", {kDriver, "d", "ger", "", "", false}},
    {"dgetrf_single", {kDriver, "d", "getrf", "", "", false}},
    {"dgetrs_N_single", {kDriver, "d", "getrs", "N", "", false}},
    {"dpotrf_L_parallel", {kDriver, "d", "potrf", "L", "", false}},
    {"dgetf2_k", {kDriver, "d", "getf2", "", "", false}},
    {"dlaswp_plus", {kDriver, "d", "laswp", "", "", false}},
    {"sgemm_itcopy_HASWELL", {kPacking, "s", "gemm", "", "HASWELL", false}},
    {"sgemm_oncopy", {kPacking, "s", "gemm", "", "", false}},
    {"sgemm_incopy", {kPacking, "s", "gemm", "", "", false}},
    {"sgemm_beta_SKYLAKEX", {kPacking, "s", "gemm", "", "SKYLAKEX", false}},
    {"cgemm3m_incopyb_ZEN", {kPacking, "c", "gemm3m", "", "ZEN", false}},
    {"dtrsm_iltucopy_HASWELL", {kPacking, "d", "trsm", "", "HASWELL", false}},
    {"dneg_tcopy_CORE2", {kPacking, "d", "neg", "", "CORE2", false}},
    {"sgemm_kernel_SKYLAKEX", {kKernel, "s", "gemm", "", "SKYLAKEX", false}},
    {"cgemm_kernel_l_HASWELL", {kKernel, "c", "gemm", "", "HASWELL", false}},
    {"ssyrk_kernel_L", {kKernel, "s", "syrk", "L", "", false}},
    {"dtrsm_kernel_LN_OPTERON_SSE3", {kKernel, "d", "trsm", "LN", "OPTERON_SSE3", false}},
    {"sdot_k_HASWELL", {kKernel, "s", "dot", "", "HASWELL", false}},
    {"dsdot_k_HASWELL", {kKernel, "s", "dsdot", "", "HASWELL", false}},
    {"dnrm2_k", {kKernel, "d", "nrm2", "", "", false}},
    {"idamax_k_HASWELL", {kKernel, "d", "iamax", "", "HASWELL", false}},
    {"sdsdot_k_ZEN", {kKernel, "s", "sdsdot", "", "ZEN", false}},
    {"csrot_k_HASWELL", {kKernel, "c", "rot", "", "HASWELL", false}},
    {"dtrmm_kernel_4x8", {kKernel, "d", "trmm", "", "", false}},
    {"sgemv_n_HASWELL", {kKernel, "s", "gemv", "n", "HASWELL", false}},
    {"zhemv_M_SKYLAKEX", {kKernel, "z", "hemv", "M", "SKYLAKEX", false}},
    {"somatcopy_k_cn_HASWELL", {kKernel, "s", "omatcopy", "", "HASWELL", false}},
    {"dgemv_kernel_4x4", {kKernel, "d", "gemv", "", "", false}},
    {"daxpy_kernel_8", {kKernel, "d", "axpy", "", "", false}},
    {"sgemm_small_kernel_b0_nn_SKYLAKEX", {kKernel, "s", "gemm", "nn", "SKYLAKEX", true}},
    {"sgemm_small_kernel_nn", {kKernel, "s", "gemm", "nn", "", true}},
    {"sgemm_direct_SKYLAKEX", {kKernel, "s", "gemm", "", "SKYLAKEX", false}},
    {"sgemm_direct_performant_SKYLAKEX", {kOther, "s", "gemm", "", "SKYLAKEX", false}},
    {"sgemm_small_matrix_permit_HASWELL", {kOther, "s", "gemm", "", "HASWELL", false}},
};

TEST(BlasName, EveryFormIsReadAsItsMakersMeantIt) {
    for (const Case& one : kCases) {
        const auto name = parse_blas_name(one.function);
        ASSERT_TRUE(name.has_value()) << one.function;
        EXPECT_EQ(name->role, one.name.role) << one.function;
        EXPECT_EQ(name->precision, one.name.precision) << one.function;
        EXPECT_EQ(name->routine, one.name.routine) << one.function;
        EXPECT_EQ(name->transposition, one.name.transposition) << one.function;
        EXPECT_EQ(name->core, one.name.core) << one.function;
        EXPECT_EQ(name->small_matrix, one.name.small_matrix) << one.function;
    }
}

TEST(BlasName, WhatIsNoneIsNotGuessed) {
    for (const char* function : {"", "blas_memory_alloc", "gotoblas_init", "exec_blas", "openblas_get_config64_",
                                 "xerbla_", "scipy_xerbla_64_", "lsame_64_",

                                 "_", "s", "sgemm", "malloc", "DOUBLE_add", "inner_thread", "_init", "\xff\xfe",
                                 "isamax_kernels", "dgemm_nnn", "libc.so.6+0x9a2b0"}) {
        EXPECT_EQ(parse_blas_name(function), std::nullopt) << function;
    }
}

TEST(BlasName, PublicNamesAreShownUndecorated) {
    EXPECT_EQ(undecorated_blas_name("scipy_cblas_ssyrk64_"), "cblas_ssyrk");
    EXPECT_EQ(undecorated_blas_name("cblas_dgemm64_"), "cblas_dgemm");
    EXPECT_EQ(undecorated_blas_name("scipy_sgemm_64_"), "sgemm_");
    EXPECT_EQ(undecorated_blas_name("dgemv_64_"), "dgemv_");
    EXPECT_EQ(undecorated_blas_name("cblas_dsyr264_"), "cblas_dsyr2");
    EXPECT_EQ(undecorated_blas_name("ssyrk_LT"), "ssyrk_LT");
}

TEST(BlasModule, LibrariesAreKnownByTheirFileName) {
    for (const char* file : {"libopenblas.so.0", "/usr/lib/libopenblasp-r0.3.21.so", "libblas.so.3", "liblapack.so.3",
                             "/x/numpy.libs/libscipy_openblas64_-32a4b2a6.so",
                             "libopenblas64_p-r0-0cf96a72.3.23.dev.so", "libmkl_rt.so.2", "libblis.so.4"}) {
        EXPECT_TRUE(is_blas_module(file)) << file;
    }
    for (const char* file : {"", "libc.so.6", "_multiarray_umath.cpython-311-x86_64-linux-gnu.so", "/libblas.so.3/x.so",
                             "cython_blas.cpython-311-x86_64-linux-gnu.so", "libgfortran.so.5"}) {
        EXPECT_FALSE(is_blas_module(file)) << file;
    }
}

}  // namespace
}  // namespace tare::attribution
