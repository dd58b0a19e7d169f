// At stake: the same kernel as NumPy. A transposition or leading dimension chosen otherwise runs other packing code:
// results agree to rounding but the net is another kernel's (gemm instead of syrk is twice the arithmetic).
#include "benchmarks/native/blas_plan.h"

#include <gmock/gmock.h>

#include <array>

#include "benchmarks/native/testing/buffers.h"

namespace tare::benchmarks {
namespace {

using testing::buffer;
using ::testing::HasSubstr;
using testing::strided;

struct Plan : ::testing::Test {
    std::array<double, 64> a{}, b{}, c{};
};

TEST_F(Plan, OfRowMajorMatricesTransposesNothing) {
    const auto plan =
        plan_gemm(Caller::kMatmul, buffer(a.data(), {4, 3}), buffer(b.data(), {3, 5}), buffer(c.data(), {4, 5}));
    ASSERT_TRUE(plan) << plan.error().what;
    EXPECT_FALSE(plan->is_syrk);
    EXPECT_EQ(plan->trans_a, kNoTrans);
    EXPECT_EQ(plan->trans_b, kNoTrans);
    EXPECT_EQ((std::array{plan->m, plan->n, plan->k, plan->lda, plan->ldb, plan->ldc}),
              (std::array<std::int64_t, 6>{4, 5, 3, 3, 5, 5}));
}

TEST_F(Plan, ReadsATransposedOperandByItsColumns) {
    const auto plan = plan_gemm(Caller::kDot, transposed(buffer(a.data(), {3, 4})), buffer(b.data(), {3, 5}),
                                buffer(c.data(), {4, 5}));
    ASSERT_TRUE(plan) << plan.error().what;
    EXPECT_EQ(plan->trans_a, kTrans);
    EXPECT_EQ(plan->lda, 4);
    EXPECT_EQ(plan->trans_b, kNoTrans);
}

TEST_F(Plan, OfAMatrixAndItsTransposeIsSyrk) {
    const core::Buffer matrix = buffer(a.data(), {4, 3});
    for (const Caller caller : {Caller::kMatmul, Caller::kDot}) {
        const auto rows = plan_gemm(caller, matrix, transposed(matrix), buffer(c.data(), {4, 4}));
        ASSERT_TRUE(rows) << rows.error().what;
        EXPECT_TRUE(rows->is_syrk);
        EXPECT_EQ(rows->trans_a, kNoTrans);
        EXPECT_EQ((std::array{rows->n, rows->k, rows->lda}), (std::array<std::int64_t, 3>{4, 3, 3}));
        const auto columns = plan_gemm(caller, transposed(matrix), matrix, buffer(c.data(), {3, 3}));
        ASSERT_TRUE(columns) << columns.error().what;
        EXPECT_TRUE(columns->is_syrk);
        EXPECT_EQ(columns->trans_a, kTrans);
        EXPECT_EQ((std::array{columns->n, columns->k, columns->lda}), (std::array<std::int64_t, 3>{3, 4, 3}));
    }
}

TEST_F(Plan, OfAMatrixWithItselfOrACopysTransposeIsNoSyrk) {
    const core::Buffer matrix = buffer(a.data(), {4, 4});
    const core::Buffer out = buffer(c.data(), {4, 4});
    EXPECT_FALSE(plan_gemm(Caller::kMatmul, matrix, matrix, out)->is_syrk);
    EXPECT_FALSE(plan_gemm(Caller::kMatmul, matrix, transposed(buffer(b.data(), {4, 4})), out)->is_syrk);
}

TEST_F(Plan, OfAColumnMajorOutputIsTheTransposedProduct) {
    const auto plan = plan_gemm(Caller::kMatmul, buffer(a.data(), {4, 3}), buffer(b.data(), {3, 5}),
                                transposed(buffer(c.data(), {5, 4})));
    ASSERT_TRUE(plan) << plan.error().what;
    EXPECT_EQ(plan->a, b.data());
    EXPECT_EQ(plan->trans_a, kTrans);
    EXPECT_EQ((std::array{plan->m, plan->n, plan->k, plan->ldc}), (std::array<std::int64_t, 4>{5, 4, 3, 4}));
}

TEST_F(Plan, OfASliceGoesToBlasFromMatmulButIsCopiedByDot) {
    const core::Buffer slice = strided(a.data(), {4, 4}, {8, 1});
    const core::Buffer square = buffer(b.data(), {4, 4});
    const core::Buffer out = buffer(c.data(), {4, 4});
    const auto plan = plan_gemm(Caller::kMatmul, slice, square, out);
    ASSERT_TRUE(plan) << plan.error().what;
    EXPECT_EQ(plan->lda, 8);
    const auto refused = plan_gemm(Caller::kDot, slice, square, out);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().what, HasSubstr("copies it"));
    EXPECT_FALSE(plan_gemm(Caller::kMatmul, strided(a.data(), {4, 4}, {8, 2}), square, out));
}

TEST_F(Plan, OfGemvFollowsMatmulAndDot) {
    const core::Buffer matrix = buffer(a.data(), {4, 3});
    const core::Buffer x = strided(b.data(), {3}, {2});
    const core::Buffer out = buffer(c.data(), {4});
    const auto matmul = plan_gemv(Caller::kMatmul, matrix, x, out);
    ASSERT_TRUE(matmul) << matmul.error().what;
    EXPECT_EQ(
        (std::array<std::int64_t, 6>{matmul->order, matmul->trans, matmul->m, matmul->n, matmul->lda, matmul->x_step}),
        (std::array<std::int64_t, 6>{kColMajor, kTrans, 3, 4, 3, 2}));
    const auto dot = plan_gemv(Caller::kDot, matrix, x, out);
    ASSERT_TRUE(dot) << dot.error().what;
    EXPECT_EQ((std::array<std::int64_t, 5>{dot->order, dot->trans, dot->m, dot->n, dot->lda}),
              (std::array<std::int64_t, 5>{kRowMajor, kNoTrans, 4, 3, 3}));
    const auto flipped = plan_gemv(Caller::kDot, transposed(buffer(a.data(), {3, 4})), x, out);
    ASSERT_TRUE(flipped) << flipped.error().what;
    EXPECT_EQ((std::array<std::int64_t, 3>{flipped->order, flipped->trans, flipped->lda}),
              (std::array<std::int64_t, 3>{kColMajor, kNoTrans, 4}));
    const auto vector_first = plan_gemv(Caller::kDot, out, matrix, x);
    ASSERT_TRUE(vector_first) << vector_first.error().what;
    EXPECT_EQ((std::array<std::int64_t, 5>{vector_first->order, vector_first->trans, vector_first->m, vector_first->n,
                                           vector_first->lda}),
              (std::array<std::int64_t, 5>{kRowMajor, kTrans, 4, 3, 3}));
}

TEST_F(Plan, RefusesWhatNumPyComputesWithoutBlas) {
    const auto one = buffer(a.data(), {1});
    const auto dot = plan_dot(one, one, buffer(c.data(), {}));
    ASSERT_FALSE(dot);
    EXPECT_THAT(dot.error().what, HasSubstr("without BLAS"));
    EXPECT_FALSE(plan_dot(strided(a.data() + 7, {4}, {-1}), buffer(b.data(), {4}), buffer(c.data(), {})));
    const auto column = buffer(a.data(), {4, 1});
    EXPECT_FALSE(plan_gemm(Caller::kMatmul, column, buffer(b.data(), {1, 4}), buffer(c.data(), {4, 4})));
    EXPECT_FALSE(plan_gemv(Caller::kMatmul, column, one, buffer(c.data(), {4})));
    const auto misfit =
        plan_gemm(Caller::kMatmul, buffer(a.data(), {2, 3}), buffer(b.data(), {4, 2}), buffer(c.data(), {2, 2}));
    ASSERT_FALSE(misfit);
    EXPECT_THAT(misfit.error().what, HasSubstr("(2,3) and (4,2) do not give (2,2)"));
}

}  // namespace
}  // namespace tare::benchmarks
