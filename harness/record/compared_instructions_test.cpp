// At stake: a change of 8.8 % in instructions is claimed, one that layout explains is not, and counts of different
// programs are never set against each other.
#include "harness/record/compared_instructions.h"

#include <gmock/gmock.h>

#include <cmath>

#include "harness/record/comparison_exports.h"
#include "harness/record/comparison_table.h"
#include "harness/record/golden.h"
#include "harness/record/instruction_notes.h"
#include "harness/record/json.h"
#include "harness/record/sample_ledger.h"
#include "harness/record/sample_run.h"
#include "harness/record/stored_comparison.h"

namespace tare::record {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using Claim = InstructionClaim;

constexpr const char* kAdd = "add[kind=array,dtype=f8,n=8]";

/// A run of the cases of sample_run with a ledger of its addition.
Record run_with(std::vector<core::Ledger> ledgers) {
    Record record = sample_run(5);
    std::erase_if(record.visits, [](const core::Visit& visit) { return visit.case_name.starts_with("crash"); });
    record.ledgers = std::move(ledgers);
    return record;
}

TEST(Instructions, AreClaimedToChangeOnlyBeyondTheSpread) {
    // 3,770 to 3,822 over layouts: 52 more is the first count that no layout of the old side reaches
    EXPECT_EQ(compare_ledgers(add_ledger(), add_ledger(kAdd, 52)).claim, Claim::kNone);
    EXPECT_EQ(compare_ledgers(add_ledger(), add_ledger(kAdd, 53)).claim, Claim::kMore);
    EXPECT_EQ(compare_ledgers(add_ledger(kAdd, 53), add_ledger()).claim, Claim::kFewer);
    EXPECT_EQ(compare_ledgers(add_ledger(), add_ledger()).claim, Claim::kNone);
}

TEST(Instructions, NameTheLayersThatChangedLargestFirst) {
    core::Ledger after = add_ledger(kAdd, 332);
    for (core::LedgerLayer& layer : after.layers) {
        if (layer.name == "interpreter") layer.self = {60, 60, 60};  // of 96
        if (layer.unresolved) layer.name = "libc";
    }
    const ComparedInstructions compared = compare_ledgers(add_ledger(), after);
    std::vector<std::string> names;
    for (const LayerChange& layer : compared.layers) names.push_back(layer.layer + signed_count_text(layer.change()));
    EXPECT_THAT(names, ElementsAre("type_resolution+332", "libc (unresolved)-141", "libc+141", "interpreter-36"));
    EXPECT_EQ(changed_layers_text(compared), "type_resolution +332, libc (unresolved) -141, libc +141, 1 more");
    EXPECT_EQ(instructions_text(compared), "3,770 -> 4,102 +8.8 %");
}

TEST(Instructions, OfDifferentProgramsAreNotCompared) {
    core::Ledger other = add_ledger(kAdd, 5'000);
    other.program.host = "executable";
    other.program.blas_core = "HASWELL";
    const ComparedInstructions compared = compare_ledgers(add_ledger(), other);
    EXPECT_EQ(compared.claim, Claim::kNotCompared);
    EXPECT_EQ(compared.reason, "different programs: blas_core (SKYLAKEX; HASWELL), host (embedded; executable)");
    EXPECT_THAT(compared.layers, IsEmpty());
    EXPECT_FALSE(compared.exceeds({}));
}

TEST(Instructions, OfOtherWorkAreNotCompared) {
    core::Ledger other = add_ledger(kAdd, 5'000);
    other.statement += " + x";
    const ComparedInstructions compared = compare_ledgers(add_ledger(), other);
    EXPECT_EQ(compared.claim, Claim::kNotCompared);
    EXPECT_EQ(compared.reason, "not the same work: the statements differ");
}

TEST(Instructions, OfASingleLayoutAreNotCompared) {
    core::Ledger one = add_ledger(kAdd, 5'000);
    one.layouts = 1;
    EXPECT_EQ(compare_ledgers(add_ledger(), one).claim, Claim::kNotCompared);
    EXPECT_EQ(compare_ledgers(one, add_ledger()).claim, Claim::kNotCompared);
}

TEST(Instructions, ExceedTheToleranceOnlyByMoreThanIt) {
    ComparedInstructions compared{{1'000, 1'000, 1'000}, {1'005, 1'005, 1'005}, Claim::kMore, "", {}, {}};
    EXPECT_FALSE(compared.exceeds({0.005, 0.02}));
    compared.after = {1'006, 1'006, 1'006};
    EXPECT_TRUE(compared.exceeds({0.005, 0.02}));
    EXPECT_FALSE(compared.exceeds({0.01, 0.02}));
    compared.claim = Claim::kNone;
    EXPECT_FALSE(compared.exceeds({0.005, 0.02})) << "not beyond the spread";
    compared = {{0, 0, 0}, {9, 9, 9}, Claim::kMore, "", {}, {}};
    EXPECT_TRUE(compared.exceeds({})) << "from nothing";
}

TEST(StoredInstructions, StandApartFromTheVerdictOnTime) {
    const Comparison comparison = compare_runs(run_with({add_ledger()}), run_with({add_ledger(kAdd, 332)}), {});
    ASSERT_THAT(comparison.cases, SizeIs(6));
    const ComparedCase& add = *by_outcome(comparison)[0];
    EXPECT_EQ(add.name, kAdd) << "claimed counts stand above cases that are the same";
    EXPECT_EQ(add.verdict, stats::Verdict::kSame);
    ASSERT_TRUE(add.instructions);
    EXPECT_EQ(add.instructions->claim, Claim::kMore);
    EXPECT_EQ(add.instructions->before, (core::Count{3'770, 3'770, 3'822}));
    EXPECT_THAT(
        instruction_notes(comparison),
        ElementsAre("instructions: 1 more, 0 fewer, 0 unchanged (changed: beyond the spread over memory layouts)",
                    "add[kind=array,dtype=f8,n=8]: +332 instructions: type_resolution +332"));
}

TEST(StoredInstructions, OfOneRecordOnlyAreCountedNotCompared) {
    const Comparison comparison = compare_runs(run_with({add_ledger()}), run_with({syrk_ledger()}), {});
    for (const ComparedCase& compared : comparison.cases) EXPECT_FALSE(compared.instructions) << compared.name;
    EXPECT_THAT(instruction_notes(comparison), ElementsAre("1 case has a ledger in one record only"));
    EXPECT_THAT(print_comparison_csv(comparison), Not(HasSubstr("instructions")));
}

TEST(StoredInstructions, ThatTheNewRecordCouldNotMakeAreNamedWithItsReason) {
    Record after = run_with({});
    after.ledger_problems = {{kAdd, {core::ErrorCode::kCaseFailed, "too long to step: more than 60000", "--limit"}}};
    const Comparison comparison = compare_runs(run_with({add_ledger()}), after, {});
    const auto add = std::ranges::find(comparison.cases, kAdd, &ComparedCase::name);
    ASSERT_NE(add, comparison.cases.end());
    ASSERT_TRUE(add->instructions);
    EXPECT_TRUE(add->instructions->lost);
    EXPECT_FALSE(add->one_ledger);
    EXPECT_EQ(add->instructions->ratio(), std::nullopt);
    EXPECT_THAT(instruction_notes(comparison).back(),
                AllOf(HasSubstr(kAdd), HasSubstr("no ledger in the new record: too long to step")));
    EXPECT_THAT(print_comparison_csv(comparison), HasSubstr(",not compared,3770,3770,3822,,,,\r\n"));
    const Json json = Json::parse(print_comparison_json(comparison));
    for (const Json& verdict : json["verdicts"])
        if (verdict["case"] == kAdd) {
            EXPECT_TRUE(verdict["instructions"]["new"].is_null());
        }
}

TEST(StoredInstructions, NeedNoTimes) {
    Record before, after;
    before.ledgers = {add_ledger("x"), add_ledger("y")};
    after.ledgers = {add_ledger("y", 400), add_ledger("x")};
    const Comparison comparison = compare_runs(before, after, {});
    ASSERT_THAT(comparison.cases, SizeIs(2));
    EXPECT_EQ(comparison.cases[1].name, "y");
    EXPECT_EQ(comparison.cases[1].instructions->claim, Claim::kMore);
    EXPECT_EQ(comparison.cases[1].standing, stats::Standing::kIndicative);
}

TEST(StoredInstructions, OfDifferentProgramsAreExplainedOnce) {
    core::Ledger first = add_ledger("add[kind=float]"), second = add_ledger();
    const Record before = run_with({first, second});
    first.program.python_build_id = second.program.python_build_id = "ffff";
    const Comparison comparison = compare_runs(before, run_with({first, second}), {});
    EXPECT_THAT(
        instruction_notes(comparison),
        ElementsAre("instructions: 0 more, 0 fewer, 0 unchanged, 2 not compared (changed: beyond the spread over "
                    "memory layouts)",
                    AllOf(HasSubstr("instructions not compared (add[kind=float], add[kind=array,dtype=f8,n=8])"),
                          HasSubstr("python_build_id (3c1f6c"))));
    const Json json = Json::parse(print_comparison_json(comparison));
    EXPECT_EQ(json["verdicts"][0]["instructions"]["different_programs"][0]["member"], "python_build_id");
    EXPECT_EQ(json["verdicts"][0]["instructions"]["different_programs"][0]["new"], "ffff");
}

/// More, fewer, unchanged within the spread, and not compared.
Comparison of_every_kind() {
    const std::string float_case = "add[kind=float]", more = kAdd, fewer = "sum[dtype=f8,n=8]",
                      other = "matmul[dtype=f4,n=8]";
    core::Ledger foreign = add_ledger(other);
    foreign.program.host = "executable";
    return compare_runs(run_with({add_ledger(float_case), add_ledger(more), add_ledger(fewer, 400), add_ledger(other)}),
                        run_with({add_ledger(float_case, 20), add_ledger(more, 332), add_ledger(fewer), foreign}), {});
}

TEST(StoredInstructions, AreAColumnOfEveryFormat) {
    const Comparison comparison = of_every_kind();
    expect_golden("compare_instructions.txt", print_comparison_table(comparison, {}));
    expect_golden("compare_instructions.md", print_comparison_markdown(comparison, {}));
    expect_golden("compare_instructions.csv", print_comparison_csv(comparison));
    expect_golden("compare_instructions_summary.md", print_comparison_summary(comparison, {}, {}));
    const Json json = Json::parse(print_comparison_json(comparison));
    EXPECT_EQ(json["counts"]["instructions"], Json::parse(R"({"more":1,"fewer":1,"none":1,"not_compared":1})"));
    const Json& add = json["verdicts"][1]["instructions"];
    EXPECT_EQ(add["outcome"], "more");
    EXPECT_EQ(add["old"]["highest"], 3'822);
    EXPECT_EQ(add["change"], 332);
    EXPECT_NEAR(add["ratio"].get<double>(), 1.088064, 1e-6);
    EXPECT_EQ(add["exceeds_tolerance"], true);
    EXPECT_EQ(add["layers"][0]["layer"], "type_resolution");
    EXPECT_EQ(add["layers"][0]["new"]["value"], 1'099);
}

TEST(StoredInstructions, LeaveTheirColumnOutWhereWidthIsShort) {
    TableOptions options;
    for (options.width = 60; options.width <= 140; ++options.width) {
        const std::string text = print_comparison_table(of_every_kind(), options);
        std::string line = text.substr(0, text.find('\n'));
        EXPECT_LE(text_columns(line), options.width) << line;
        EXPECT_THAT(line, HasSubstr("verdict"));
    }
}

}  // namespace
}  // namespace tare::record
