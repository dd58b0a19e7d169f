// At stake: 3,770 instructions of one addition, explained character by character, at every width.
#include "harness/record/ledger_table.h"

#include <gmock/gmock.h>

#include <sstream>

#include "harness/record/golden.h"
#include "harness/record/json.h"
#include "harness/record/ledger_exports.h"
#include "harness/record/ledger_tree.h"
#include "harness/record/sample_ledger.h"
#include "harness/record/system_call_names.h"

namespace tare::record {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const LedgerTableOptions kAscii{.width = 0, .style = {.color = false, .unicode = false}};

void expect_within(const std::string& text, std::size_t width) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(text_columns(line), width) << line;
}

TEST(LedgerTable, ExplainsAnAddition) {
    expect_golden("ledger.txt", print_ledger(add_ledger(), {}));
}

TEST(LedgerTable, ExplainsARouteThroughBlasInAscii) {
    expect_golden("ledger_blas_ascii.txt", print_ledger(syrk_ledger(), kAscii));
}

TEST(LedgerTable, FitsEveryWidthFromFortyUp) {
    for (std::size_t width = 40; width <= 140; ++width)
        for (const core::Ledger& ledger : {add_ledger(), syrk_ledger()}) {
            LedgerTableOptions options;
            options.width = width;
            expect_within(print_ledger(ledger, options), width);
            expect_within(print_tree(ledger, options), width);
            const std::vector<core::Ledger> both{add_ledger(), syrk_ledger(), add_ledger("add[kind=float]")};
            expect_within(print_ledgers_side_by_side(both, options), width);
        }
}

TEST(LedgerTable, SaysWhichKernelSkippedTheDriver) {
    core::BlasRoute route{{"cblas_sgemm", "sgemm_small_kernel_nn_SKYLAKEX"}, "gemm", "s", "nn", "", true, 1'234};
    EXPECT_EQ(route_text(route),
              "cblas_sgemm -> sgemm_small_kernel_nn_SKYLAKEX (sgemm, nn, small-matrix kernel, 1,234 instructions)");
}

TEST(LedgerTable, DoesNotCallASingleLayoutASpread) {
    core::Ledger ledger = add_ledger();
    ledger.layouts = 1;
    ledger.total = {3'770, 3'770, 3'770};
    EXPECT_THAT(print_ledger(ledger, {}), HasSubstr("3,770 instructions, 1 layout: the spread is not known; a floor"));
}

TEST(LedgerTable, OfAnEmptyLedgerDividesNothingByNothing) {
    const std::string text = print_ledger({}, {}) + print_tree({}, {}) + ledger_csv(std::vector<core::Ledger>(1)) +
                             print_ledgers_side_by_side(std::vector<core::Ledger>(1), {});
    EXPECT_THAT(text, AllOf(HasSubstr("0 instructions"), Not(HasSubstr("nan")), HasSubstr("no call tree")));
}

TEST(LedgerTable, SharesAFunctionAmongItsLayersAndCallers) {
    const core::Ledger ledger = add_ledger();
    const std::vector<FunctionPlace> places = places_of(ledger);
    std::size_t hash = 0;
    while (ledger.functions[hash].name != "PyObject_Hash") ++hash;
    EXPECT_EQ(places[hash].calls, 4U);
    EXPECT_EQ(layers_text(places[hash]), "type_resolution + 1");
    EXPECT_EQ(callers_text(places[hash], {}), "from promote_and_get_ufuncimpl 75 %, ufunc_generic_fastcall 25 %");
}

TEST(LedgerTable, NamesPythonFunctionsAndTheLineThatTakesMost) {
    const std::string text = print_ledger(python_ledger(), {});
    EXPECT_THAT(text, HasSubstr("\nPython function                     self   share  inclusive  calls  mostly\n"
                                "area.<locals>.side (shapes.py:12)  2,100  55.7 %      2,100      3  line 14: 95.2 %\n"
                                "area (shapes.py:8)                   900  23.9 %      3,000      1\n"));
    LedgerTableOptions one;
    one.most_functions = 1;
    EXPECT_THAT(print_ledger(python_ledger(), one), HasSubstr("\n1 more Python functions\n"));
    EXPECT_THAT(print_tree(python_ledger(), {}), HasSubstr("area (shapes.py:8) in "));
}

TEST(LedgerTree, ShowsPathsByWeightAndSumsWhatItCuts) {
    expect_golden("ledger_tree.txt", print_tree(add_ledger(), {}));
    LedgerTableOptions options = kAscii;
    options.smallest_share = 0.05;
    expect_golden("ledger_tree_cut_ascii.txt", print_tree(add_ledger(), options));
}

TEST(LedgerTree, OfARecursionIsNoDeeperThanTheScreen) {
    std::vector<SamplePath> paths;
    for (std::int32_t i = 0; i < 20'000; ++i) paths.push_back({i - 1, "recurse", 0, "interpreter", 1, 1});
    LedgerTableOptions options;
    options.smallest_share = 0;
    const std::string text = print_tree(ledger_of_paths("deep", "f()", paths), options);
    EXPECT_THAT(text, HasSubstr("(19999) recurse"));
    EXPECT_LT(text.size(), 20'000U * 60);
    options.width = 60;
    expect_within(print_tree(ledger_of_paths("deep", "f()", paths), options), 60);
}

TEST(LedgersSideBySide, AreColumnsWithLayersAsRows) {
    const std::vector<core::Ledger> ledgers{add_ledger(), syrk_ledger()};
    expect_golden("ledgers.txt", print_ledgers_side_by_side(ledgers, {}));
}

TEST(LedgersSideBySide, GoOnBelowWhereTheyDoNotFit) {
    const std::vector<core::Ledger> ledgers(9, add_ledger());
    LedgerTableOptions options;
    options.width = 50;
    const std::string text = print_ledgers_side_by_side(ledgers, options);
    for (int i = 1; i <= 9; ++i) EXPECT_THAT(text, HasSubstr("  [" + std::to_string(i) + "]"));
}

TEST(LedgerExports, Markdown) {
    const std::vector<core::Ledger> ledgers{add_ledger(), syrk_ledger()};
    expect_golden("ledgers.md", ledger_markdown(ledgers, {}));
}

TEST(LedgerExports, Csv) {
    const std::vector<core::Ledger> ledgers{add_ledger(), syrk_ledger()};
    expect_golden("ledgers.csv", ledger_csv(ledgers));
}

TEST(LedgerExports, HoldPythonFunctions) {
    const std::vector<core::Ledger> ledgers{python_ledger()};
    EXPECT_THAT(ledger_markdown(ledgers, {}), HasSubstr("| `area (shapes.py:8)` | 900 | 23.9 % | 3,000 | 1 |\n"));
    EXPECT_THAT(ledger_csv(ledgers), HasSubstr("python_function,area.<locals>.side (shapes.py:12),/site/shapes.py,"
                                               "2100,2100,2152,0.5570292,3,\r\n"));
    const Json json = Json::parse(ledger_json(ledgers, {}));
    EXPECT_EQ(json["ledgers"][0]["python_functions"][0]["lines"], Json::parse("[[14,2000],[15,100]]"));
    EXPECT_EQ(json["ledgers"][0]["nodes"][2]["python"], 0);
}

TEST(LedgerExports, JsonHoldsEveryMemberUnderItsName) {
    const std::vector<core::Ledger> ledgers{add_ledger(), syrk_ledger()};
    const std::vector<core::LedgerProblem> problems{{"sum[n=8]", {core::ErrorCode::kTimeout, "took 10 s", ""}}};
    const Json json = Json::parse(ledger_json(ledgers, problems));
    const Json& add = json["ledgers"][0];
    EXPECT_EQ(add["case"], "add[kind=array,dtype=f8,n=8]");
    EXPECT_EQ(add["total"], Json::parse(R"({"value":3770,"lowest":3770,"highest":3822})"));
    EXPECT_EQ(add["program"]["blas_core"], "SKYLAKEX");
    EXPECT_EQ(add["nodes"].size(), 15U);
    EXPECT_EQ(add["nodes"][3], Json::parse(R"({"parent":2,"function":0,"layer":1,"calls":1,"self":812})"));
    EXPECT_EQ(add["functions"][0], Json::parse(R"({"module":0,"name":"ufunc_generic_fastcall","source":"symtab",
                                                   "self":{"value":812,"lowest":812,"highest":834}})"));
    EXPECT_EQ(add["modules"][1]["named_functions"], 4);
    EXPECT_EQ(add["layers"][0]["name"], "allocation");
    EXPECT_EQ(add["allocations"][0]["bytes"], 176);
    const Json& syrk = json["ledgers"][1];
    EXPECT_EQ(syrk["routes"][0]["functions"].size(), 4U);
    EXPECT_EQ(syrk["system_calls"][0]["number"], 11);
    EXPECT_EQ(syrk["randomized_addresses"], true);
    EXPECT_EQ(syrk["warnings"].size(), 1U);
    EXPECT_EQ(json["problems"][0]["error"]["code"], "timeout");
}

TEST(LedgerProblems, ThatCasesShareAreSaidOnce) {
    const core::Error error{core::ErrorCode::kEnvironment, "ptrace is not permitted", "run without --ledger"};
    const std::vector<core::LedgerProblem> problems{{"a", error}, {"b", error}, {"c", error}};
    EXPECT_EQ(ledger_problems_text(problems),
              "\n3 ledgers could not be made\n  a, b and 1 more: ptrace is not permitted; run without --ledger\n");
    EXPECT_EQ(ledger_problems_text({}), "");
}

TEST(SystemCalls, HaveTheirNamesOnX86) {
    EXPECT_EQ(system_call_name(9), "mmap");
    EXPECT_EQ(system_call_name(202), "futex");
    EXPECT_EQ(system_call_name(-1), "syscall -1");
}

TEST(NumberText, GroupsTheDigitsOfCounts) {
    EXPECT_EQ(count_text(0), "0");
    EXPECT_EQ(count_text(999), "999");
    EXPECT_EQ(count_text(1'000), "1,000");
    EXPECT_EQ(count_text(1'234'567), "1,234,567");
    EXPECT_EQ(signed_count_text(332), "+332");
    EXPECT_EQ(signed_count_text(-41'230), "-41,230");
    EXPECT_EQ(signed_count_text(std::numeric_limits<std::int64_t>::min()), "-9,223,372,036,854,775,808");
}

}  // namespace
}  // namespace tare::record
