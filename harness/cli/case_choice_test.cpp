// At stake: which of 808 cases is explained. A name that means two must not quietly take the first.
#include "harness/cli/case_choice.h"

#include <gmock/gmock.h>

namespace tare::cli {
namespace {

using testing::HasSubstr;

core::Case made(std::string operation, core::Parameters parameters) {
    return {.operation = std::move(operation), .parameters = std::move(parameters), .statement = "x", .rungs = {}};
}

const core::Catalogue kCatalogue{.cases = {made("add", {{"kind", "0d"}, {"dtype", "f8"}}),
                                           made("add", {{"kind", "array"}, {"dtype", "f8"}, {"n", "8"}}),
                                           made("add", {{"kind", "array"}, {"dtype", "f8"}, {"n", "64"}}),
                                           made("add_at", {{"kind", "array"}}), made("errstate", {})},
                                 .problems = {}};

std::string chosen(const std::string& text) {
    const auto found = choose_case(kCatalogue, text);
    return found ? found->name() : found.error().what + " | " + found.error().hint;
}

TEST(CaseChoice, TakesAnySubsetOfParametersThatPicksOne) {
    EXPECT_EQ(chosen("add[kind=0d]"), "add[kind=0d,dtype=f8]");
    EXPECT_EQ(chosen("add[n=8]"), "add[kind=array,dtype=f8,n=8]");
    EXPECT_EQ(chosen("add[n=64,kind=array]"), "add[kind=array,dtype=f8,n=64]");
    EXPECT_EQ(chosen("add[kind=0d,dtype=f8]"), "add[kind=0d,dtype=f8]");
    EXPECT_EQ(chosen("add_at"), "add_at[kind=array]");
    EXPECT_EQ(chosen("errstate"), "errstate");
}

TEST(CaseChoice, ListsWhatAnAmbiguousNamePicks) {
    EXPECT_EQ(chosen("add[kind=array]"),
              "'add[kind=array]' picks 2 cases: add[kind=array,dtype=f8,n=8], add[kind=array,dtype=f8,n=64] | "
              "add parameters until one is left, as in 'add[kind=array,dtype=f8,n=8]'");
}

TEST(CaseChoice, NamesTheNearestWhereNoneIsPicked) {
    EXPECT_THAT(chosen("add[kind=0d,dtype=f4]"), HasSubstr("nearest: add[kind=0d,dtype=f8]"));
    EXPECT_THAT(chosen("errstat"), HasSubstr("'errstat' is none of 5 cases"));
}

}  // namespace
}  // namespace tare::cli
