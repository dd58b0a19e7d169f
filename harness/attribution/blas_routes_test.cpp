// At stake: `A @ A.T` of 8 x 8 runs 8 % of its instructions in BLAS; the route tells which 4 of its 20 functions did
// it.
#include <gmock/gmock.h>

#include "harness/attribution/blas_name.h"
#include "harness/attribution/ledger_for_test.h"

namespace tare::attribution {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

const std::string kNumpy = "/v/numpy/_core/_multiarray_umath.so";
const std::string kBlas = "/v/numpy.libs/libscipy_openblas64_-32a4b2a6.so";

TEST(BlasRoutes, ASyrkIsFollowedFromItsPublicNameToItsKernel) {
    LedgerForTest made;
    const auto loop = made.node(-1, "DOUBLE_matmul", kNumpy, 100);
    const auto stub = made.node(loop, "scipy_cblas_ssyrk64_@plt", kNumpy, 2);
    const auto syrk = made.node(stub, "scipy_cblas_ssyrk64_", kBlas, 50);
    made.node(syrk, "blas_memory_alloc", kBlas, 900);  // heavier than all, and no part of the route
    const auto driver = made.node(syrk, "ssyrk_LT", kBlas, 40);
    made.node(driver, "sgemm_itcopy_HASWELL", kBlas, 400);
    made.node(driver, "sscal_k_HASWELL", kBlas, 20);
    const auto kernel = made.node(driver, "ssyrk_kernel_L", kBlas, 30);
    made.node(kernel, "sgemm_kernel_HASWELL", kBlas, 300);
    made.node(kernel, "sgemm_beta_HASWELL", kBlas, 10);

    const auto routes = blas_routes(made.ledger);
    ASSERT_THAT(routes, SizeIs(1));
    EXPECT_THAT(routes[0].functions, ElementsAre("cblas_ssyrk", "ssyrk_LT", "ssyrk_kernel_L", "sgemm_kernel_HASWELL"));
    EXPECT_EQ(routes[0].routine, "syrk");
    EXPECT_EQ(routes[0].precision, "s");
    EXPECT_EQ(routes[0].transposition, "LT");
    EXPECT_EQ(routes[0].core, "HASWELL");
    EXPECT_FALSE(routes[0].small_matrix);
    EXPECT_EQ(routes[0].instructions, 1750U);
}

TEST(BlasRoutes, ASmallMatrixKernelStandsDirectlyBelowThePublicName) {
    LedgerForTest made;
    const auto gemm = made.node(-1, "cblas_sgemm", kBlas, 50);
    made.node(gemm, "sgemm_small_matrix_permit_SKYLAKEX", kBlas, 500);
    made.node(gemm, "sgemm_small_kernel_b0_nn_SKYLAKEX", kBlas, 200);
    const auto routes = blas_routes(made.ledger);
    ASSERT_THAT(routes, SizeIs(1));
    EXPECT_THAT(routes[0].functions, ElementsAre("cblas_sgemm", "sgemm_small_kernel_b0_nn_SKYLAKEX"));
    EXPECT_TRUE(routes[0].small_matrix);
    EXPECT_EQ(routes[0].transposition, "nn");
    EXPECT_EQ(routes[0].core, "SKYLAKEX");
}

TEST(BlasRoutes, AWrapperLibraryCountsOnce) {
    for (const char* inner : {"cblas_dgemm", "dgemm_"}) {
        LedgerForTest made;
        const auto wrapper = made.node(-1, "cblas_dgemm", "/usr/lib/libblas.so.3", 20);
        const auto stub = made.node(wrapper, std::string(inner) + "@plt", "/usr/lib/libblas.so.3", 2);
        const auto gemm = made.node(stub, inner, "/usr/lib/libopenblas.so.0", 30);
        made.node(gemm, "dgemm_nn", "/usr/lib/libopenblas.so.0", 10);
        const auto routes = blas_routes(made.ledger);
        ASSERT_THAT(routes, SizeIs(1));
        EXPECT_THAT(routes[0].functions, ElementsAre("cblas_dgemm", "dgemm_nn"));
        EXPECT_EQ(routes[0].instructions, 62U);
    }
}

TEST(BlasRoutes, LapackLeadsThroughTheBlasThatItCalls) {
    LedgerForTest made;
    const auto gesv = made.node(-1, "scipy_dgesv_64_", kBlas, 10);
    const auto getrf = made.node(gesv, "dgetrf_single", kBlas, 20);
    const auto getf2 = made.node(getrf, "dgetf2_k", kBlas, 300);
    made.node(getf2, "ddot_k_HASWELL", kBlas, 200);
    made.node(getf2, "idamax_k_HASWELL", kBlas, 250);
    const auto routes = blas_routes(made.ledger);
    ASSERT_THAT(routes, SizeIs(1));
    EXPECT_THAT(routes[0].functions, ElementsAre("dgesv_", "dgetrf_single", "dgetf2_k", "idamax_k_HASWELL"));
    EXPECT_EQ(routes[0].routine, "gesv");
}

TEST(BlasRoutes, EqualWaysAreMergedAndTheHeaviestComesFirst) {
    LedgerForTest made;
    const auto root = made.node(-1, "f", kNumpy, 1);
    const auto other = made.node(root, "g", kNumpy, 1);
    made.node(made.node(root, "cblas_ddot64_", kBlas, 10), "ddot_k_HASWELL", kBlas, 40);
    made.node(made.node(root, "cblas_dgemv64_", kBlas, 10), "dgemv_t_HASWELL", kBlas, 60);
    made.node(made.node(other, "cblas_ddot64_", kBlas, 10), "ddot_k_HASWELL", kBlas, 40);
    const auto routes = blas_routes(made.ledger);
    ASSERT_THAT(routes, SizeIs(2));
    EXPECT_THAT(routes[0].functions, ElementsAre("cblas_ddot", "ddot_k_HASWELL"));
    EXPECT_EQ(routes[0].instructions, 100U);
    EXPECT_THAT(routes[1].functions, ElementsAre("cblas_dgemv", "dgemv_t_HASWELL"));
    EXPECT_EQ(routes[1].transposition, "t");
}

TEST(BlasRoutes, FunctionsWithoutANameAreLookedThrough) {
    LedgerForTest made;
    const auto gemm = made.node(-1, "cblas_dgemm", kBlas, 10);
    const auto nameless = made.node(gemm, "libopenblas.so.0+0x123", kBlas, 10, "blas", core::NameSource::kNone);
    made.node(nameless, "dgemm_nt", kBlas, 40);
    EXPECT_THAT(blas_routes(made.ledger)[0].functions, ElementsAre("cblas_dgemm", "dgemm_nt"));
}

TEST(BlasRoutes, ARouteMayBeginAtADriverAndNoneIsMadeOfStartUp) {
    LedgerForTest made;
    made.node(-1, "openblas_get_config64_", kBlas, 10);
    made.node(-1, "sgemm_nn", "/v/libm.so.6", 10);  // BLAS's name in another library
    const auto thread = made.node(-1, "blas_thread_server", kBlas, 10);
    made.node(made.node(thread, "sgemm_nn", kBlas, 10), "sgemm_kernel_ZEN", kBlas, 90);
    const auto routes = blas_routes(made.ledger);
    ASSERT_THAT(routes, SizeIs(1));
    EXPECT_THAT(routes[0].functions, ElementsAre("blas_thread_server", "sgemm_nn", "sgemm_kernel_ZEN"));
    EXPECT_THAT(blas_routes(core::Ledger{}), IsEmpty());
}

}  // namespace
}  // namespace tare::attribution
