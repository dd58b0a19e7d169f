// At stake: the second attempt of a user whose filter matched none of 700 cases.
#include "harness/cli/nearest_names.h"

#include <gmock/gmock.h>

namespace tare::cli {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<std::string> kNames = {
    "add[kind=float]",
    "add[kind=array,dtype=f8,n=8]",
    "add[kind=array,dtype=f8,n=64]",
    "add_out[dtype=f8,n=8]",
    "subtract[dtype=f8,n=8]",
    "dot[dtype=f4,n=4]",
    "dot_out[dtype=f4,n=4]",
    "matmul_AAT[dtype=f4,n=8]",
    "sum[dtype=f8,n=8]",
    "cumsum[dtype=f8,n=8]",
    "errstate",
    "einsum[dtype=f8,n=8]",
};

std::string first(std::string_view filter) {
    const std::vector<std::string> nearest = nearest_names(filter, kNames, 1);
    return nearest.empty() ? "" : nearest[0];
}

TEST(NearestNames, FindsTheOperationBehindATypingError) {
    EXPECT_EQ(first("subtarct"), "subtract");
    EXPECT_EQ(first("^dott$"), "dot");
    EXPECT_EQ(first("EINSUMM"), "einsum");
    EXPECT_EQ(first("err.*stat"), "errstate");
    EXPECT_EQ(first("matmulAAT"), "matmul_AAT");
    EXPECT_EQ(first("sum_of_rows"), "sum");
}

TEST(NearestNames, ProposesNoneThatNobodyCouldType) {
    const std::vector<std::string> names = {"dot" + std::string(300'000, 'x') + "[n=1]", "dot[n=1]"};
    EXPECT_EQ(nearest_names("dto", names, 5), std::vector<std::string>{"dot"});
    EXPECT_EQ(nearest_names("n=2]", names, 5), std::vector<std::string>{"dot[n=1]"});
}

TEST(NearestNames, PutsTheNearestFirstAndEachOperationOnce) {
    EXPECT_THAT(nearest_names("sums", kNames, 3), ElementsAre("sum", "cumsum", "einsum"));
    EXPECT_THAT(nearest_names("ad_out", kNames, 2), ElementsAre("add_out", "add"));
}

TEST(NearestNames, AnswersAFilterOnParametersWithCases) {
    EXPECT_EQ(first("add[kind=array,dtype=f8,n=8]"), "add[kind=array,dtype=f8,n=8]") << "brackets not escaped";
    EXPECT_EQ(first("^add\\[kind=array,dtype=f8,n=6\\]"), "add[kind=array,dtype=f8,n=8]");
    EXPECT_EQ(first("^dot\\[dtype=f5,n=4"), "dot[dtype=f4,n=4]");
    EXPECT_EQ(first("n=65]"), "add[kind=array,dtype=f8,n=64]");
}

TEST(NearestNames, AnswersAnExactOperationWithItsCases) {
    EXPECT_THAT(nearest_names("^dot$", kNames, 1), ElementsAre("dot[dtype=f4,n=4]"));
}

TEST(NearestNames, TakesTheBestOfSeveralAlternatives) {
    EXPECT_EQ(first("zzzzzzzzz|subtrac_t"), "subtract");
}

TEST(NearestNames, OfAFilterWithoutAnyTextAreNone) {
    EXPECT_THAT(nearest_names("^.*$", kNames, 3), IsEmpty());
    EXPECT_THAT(nearest_names("add", {}, 3), IsEmpty());
}

TEST(Literals, AreWhatARegularExpressionSaysWithoutItsSigns) {
    EXPECT_THAT(literals_of("^add\\[n=\\d+\\]$"), ElementsAre("add[n=]"));
    EXPECT_THAT(literals_of("(dot|inner){1,2}_?out|"), ElementsAre("dot", "inner_out"));
    EXPECT_THAT(literals_of("a{2"), ElementsAre("a"));
    EXPECT_THAT(literals_of("a\\"), ElementsAre("a\\"));
}

TEST(EditDistance, CountsInsertionsDeletionsSubstitutionsAndSwaps) {
    EXPECT_EQ(edit_distance("dot", "dot"), 0u);
    EXPECT_EQ(edit_distance("dt", "dot"), 1u);
    EXPECT_EQ(edit_distance("doot", "dot"), 1u);
    EXPECT_EQ(edit_distance("dut", "dot"), 1u);
    EXPECT_EQ(edit_distance("dto", "dot"), 1u);
    EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
    EXPECT_EQ(edit_distance("ca", "abc"), 3u) << "no part is edited twice";
    EXPECT_EQ(edit_distance("", "abc"), 3u);
    EXPECT_EQ(edit_distance("abc", ""), 3u);
}

TEST(EditDistance, AnywhereIsToTheNearestPart) {
    EXPECT_EQ(edit_distance("n=8]", "add[dtype=f8,n=8]", true), 0u);
    EXPECT_EQ(edit_distance("dtpye", "add[dtype=f8]", true), 1u);
    EXPECT_EQ(edit_distance("", "abc", true), 0u);
}

}  // namespace
}  // namespace tare::cli
