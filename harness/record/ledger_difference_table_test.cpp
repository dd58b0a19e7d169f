// At stake: which function made 41,230 instructions 9,120, and never a word of change where layout explains it.
#include "harness/record/ledger_difference_table.h"

#include <gmock/gmock.h>

#include <sstream>

#include "harness/record/golden.h"
#include "harness/record/json.h"

namespace tare::record {
namespace {

using core::LedgerDifference;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using Kind = LedgerDifference::Kind;

LedgerDifference add_at() {
    LedgerDifference difference;
    difference.sides = {"old", "new"};
    difference.case_a = difference.case_b = "add_at[dtype=f8,n=64]";
    difference.total = {core::Count{41'230, 41'230, 41'310}, core::Count{9'120, 9'120, 9'133}};
    difference.layers = {
        {"inner_loop", "", "", {30'400, 30'400, 30'400}, {1'210, 1'210, 1'210}, Kind::kShrank, -29'190},
        {"casting", "", "", {2'920, 2'920, 2'920}, {0, 0, 0}, Kind::kGone, -2'920}};
    difference.functions = {
        {"ufunc_at__slow_iter",
         "_multiarray_umath.so",
         "inner_loop",
         {29'000, 29'000, 29'010},
         {},
         Kind::kGone,
         -29'000},
        {"iter|next",
         "_multiarray_umath.so",
         "inner_loop",
         {1'400, 1'400, 1'400},
         {300, 300, 300},
         Kind::kShrank,
         -1'100},
        {"ufunc_at__fast_iter", "_multiarray_umath.so", "inner_loop", {}, {910, 910, 910}, Kind::kNew, 910}};
    difference.unclaimed = 4;
    return difference;
}

TEST(LedgerDifference, NamesLayersAndFunctionsLargestFirst) {
    expect_golden("ledger_difference.txt", print_ledger_difference(add_at(), {}));
    expect_golden("ledger_difference.md", ledger_difference_markdown(add_at(), {}));
    expect_golden("ledger_difference.csv", ledger_differences_csv(std::vector{add_at()}));
}

TEST(LedgerDifference, NamesPythonFunctions) {
    LedgerDifference difference = add_at();
    difference.python_functions = {
        {"Box.__eq__", "base.py", "", {900, 900, 900}, {97'000, 97'000, 97'004}, Kind::kGrew, 96'100}};
    EXPECT_THAT(print_ledger_difference(difference, {}), HasSubstr("\nPython function  file     old     new   change\n"
                                                                   "Box.__eq__       base.py  900  97,000  +96,100\n"));
    EXPECT_THAT(ledger_difference_markdown(difference, {}),
                HasSubstr("| `Box.__eq__` | base.py | 900 | 97,000 | +96,100 |"));
    EXPECT_THAT(ledger_differences_csv(std::vector{difference}),
                HasSubstr("python_function,Box.__eq__,base.py,,grew,900,"));
    const Json json = Json::parse(ledger_differences_json(std::vector{difference}, {}));
    EXPECT_EQ(json["differences"][0]["python_functions"][0]["change"], 96'100);
}

TEST(LedgerDifference, FitsANarrowTerminal) {
    for (std::size_t width = 40; width <= 120; ++width) {
        LedgerTableOptions options;
        options.width = width;
        std::istringstream lines(print_ledger_difference(add_at(), options));
        for (std::string line; std::getline(lines, line);) EXPECT_LE(text_columns(line), width) << line;
    }
}

TEST(LedgerDifference, ClaimsNothingWithinTheSpread) {
    LedgerDifference difference;
    difference.case_a = "add[n=8]";
    difference.case_b = "add[n=16]";
    difference.total = {core::Count{3'770, 3'770, 3'822}, core::Count{3'790, 3'790, 3'830}};
    EXPECT_EQ(print_ledger_difference(difference, {}),
              "add[n=8] -> add[n=16]: 3,770 -> 3,790 instructions (within the spread over layouts)\n\n"
              "no layer or function changed beyond the spread over layouts\n");
}

TEST(LedgerDifference, OfDifferentProgramsShowsNoChange) {
    LedgerDifference difference = add_at();
    difference.comparable = false;
    difference.why_not = "host (embedded; executable)";
    for (const std::string& text :
         {print_ledger_difference(difference, {}), ledger_difference_markdown(difference, {})})
        EXPECT_THAT(text, AllOf(HasSubstr("not compared: host (embedded; executable)"), Not(HasSubstr("%")),
                                Not(HasSubstr("inner_loop"))));
}

TEST(LedgerDifference, JsonHoldsAllOfIt) {
    const core::LedgerProblem problem{.case_name = "forks",
                                      .error = {core::ErrorCode::kCaseFailed, "not steppable", ""}};
    const Json all = Json::parse(ledger_differences_json(std::vector{add_at(), add_at()}, std::vector{problem}));
    EXPECT_EQ(all["kind"], "ledger differences");
    EXPECT_EQ(all["differences"].size(), 2U);
    EXPECT_EQ(all["problems"][0]["case"], "forks");
    const Json& json = all["differences"][1];
    EXPECT_EQ(json["total"][1]["highest"], 9'133);
    EXPECT_EQ(json["functions"][0]["kind"], "gone");
    EXPECT_EQ(json["functions"][2]["change"], 910);
    EXPECT_EQ(json["layers"].size(), 2U);
    EXPECT_EQ(json["unclaimed"], 4);
    EXPECT_EQ(json["comparable"], true);
}

}  // namespace
}  // namespace tare::record
