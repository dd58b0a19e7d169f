// At stake: a CI fails on a proven regression and on nothing else, unless it was asked to.
#include "harness/cli/gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/cli/junit.h"

namespace tare::cli {
namespace {

using record::ComparedCase;
using stats::Verdict;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

ComparedCase judged(Verdict verdict) {
    ComparedCase result;
    result.name = "dot[n=8,kind=x]";
    result.verdict = verdict;
    result.reason = stats::Reason::kNone;
    result.ratio = 1.051;
    result.ratio_interval = stats::Interval{1.048, 1.0541};
    return result;
}

ComparedCase failed() {
    ComparedCase result = judged(Verdict::kInconclusive);
    result.error = core::SideError{core::Side::kB, {core::ErrorCode::kCaseFailed, "100 %\nlost", ""}};
    return result;
}

record::Comparison comparison(std::vector<ComparedCase> cases) {
    record::Comparison result;
    result.cases = std::move(cases);
    return result;
}

/// The same in time; in instructions 1,000 before, and after as many as given, compared or not.
ComparedCase counted(std::uint64_t after, record::InstructionClaim claim = record::InstructionClaim::kMore) {
    ComparedCase result = judged(Verdict::kSame);
    result.instructions = record::ComparedInstructions{
        {1'000, 1'000, 1'000}, {after, after, after}, claim, "", {}, {{"inner_loop", {}, {9, 9, 9}}}};
    return result;
}

ExitCode code_of_counts(std::vector<ComparedCase> cases, GateOn gate_on, bool gate = true,
                        bool fail_on_inconclusive = false) {
    VerdictOptions options;
    options.gate = gate;
    options.gate_on = gate_on;
    options.fail_on_inconclusive = fail_on_inconclusive;
    return gate_code(comparison(std::move(cases)), options);
}

ExitCode code_of(std::vector<ComparedCase> cases, bool gate, bool fail_on_inconclusive = false) {
    VerdictOptions options;
    options.gate = gate;
    options.fail_on_inconclusive = fail_on_inconclusive;
    return gate_code(comparison(std::move(cases)), options);
}

TEST(Gate, FailsOnASlowerCaseOnlyWhereItIsAGate) {
    EXPECT_EQ(code_of({judged(Verdict::kSame), judged(Verdict::kSlower)}, true), ExitCode::kRegression);
    EXPECT_EQ(code_of({judged(Verdict::kSlower)}, false), ExitCode::kDone);
    EXPECT_EQ(code_of({judged(Verdict::kFaster), judged(Verdict::kSame)}, true), ExitCode::kDone);
    ComparedCase indicative = judged(Verdict::kSlower);
    indicative.standing = stats::Standing::kIndicative;
    EXPECT_EQ(code_of({indicative}, true), ExitCode::kDone);
}

TEST(Gate, FailsOnAnInconclusiveCaseOnlyWhereAsked) {
    EXPECT_EQ(code_of({judged(Verdict::kInconclusive)}, true), ExitCode::kDone);
    EXPECT_EQ(code_of({judged(Verdict::kInconclusive)}, true, true), ExitCode::kInconclusive);
    EXPECT_EQ(code_of({judged(Verdict::kInconclusive), judged(Verdict::kSlower)}, true, true), ExitCode::kRegression);
}

TEST(Gate, AFailedCaseIsNoRegressionAndNotNothing) {
    EXPECT_EQ(code_of({failed()}, false), ExitCode::kCasesFailed);
    EXPECT_EQ(code_of({failed(), judged(Verdict::kSlower)}, true), ExitCode::kRegression);
}

TEST(InstructionGate, FailsOnMoreInstructionsThanTheTolerance) {
    EXPECT_EQ(code_of_counts({counted(1'006)}, GateOn::kBoth), ExitCode::kRegression);
    EXPECT_EQ(code_of_counts({counted(1'005)}, GateOn::kBoth), ExitCode::kDone) << "0.5 % is the tolerance";
    EXPECT_EQ(code_of_counts({counted(1'006)}, GateOn::kBoth, false), ExitCode::kDone) << "no gate";
    EXPECT_EQ(code_of_counts({counted(900, record::InstructionClaim::kFewer)}, GateOn::kBoth), ExitCode::kDone);
    EXPECT_EQ(code_of_counts({counted(2'000, record::InstructionClaim::kNone)}, GateOn::kBoth), ExitCode::kDone);
    ComparedCase indicative = counted(1'006);
    indicative.standing = stats::Standing::kIndicative;
    EXPECT_EQ(code_of_counts({indicative}, GateOn::kBoth), ExitCode::kRegression) << "counts are exact";
}

TEST(InstructionGate, IsChosenApartFromThatOnTime) {
    EXPECT_EQ(code_of_counts({counted(1'006)}, GateOn::kTime), ExitCode::kDone);
    EXPECT_EQ(code_of_counts({counted(1'006)}, GateOn::kInstructions), ExitCode::kRegression);
    EXPECT_EQ(code_of_counts({judged(Verdict::kSlower)}, GateOn::kInstructions), ExitCode::kDone);
    EXPECT_EQ(code_of_counts({judged(Verdict::kSlower)}, GateOn::kTime), ExitCode::kRegression);
}

TEST(InstructionGate, LeavesOpenWhatItCouldNotCompare) {
    const ComparedCase open = counted(2'000, record::InstructionClaim::kNotCompared);
    EXPECT_EQ(code_of_counts({open}, GateOn::kBoth, true, true), ExitCode::kInconclusive);
    EXPECT_EQ(code_of_counts({open}, GateOn::kTime, true, true), ExitCode::kDone);
    EXPECT_EQ(code_of_counts({open}, GateOn::kBoth), ExitCode::kDone);
    EXPECT_EQ(code_of_counts({judged(Verdict::kInconclusive)}, GateOn::kInstructions, true, true), ExitCode::kDone);
}

TEST(InstructionGate, DoesNotPassACaseWhoseLedgerTheNewRecordCouldNotMake) {
    ComparedCase lost = counted(0, record::InstructionClaim::kNotCompared);
    lost.instructions->lost = true;
    EXPECT_EQ(code_of_counts({lost}, GateOn::kInstructions), ExitCode::kCasesFailed)
        << "it may have grown past --limit";
    EXPECT_EQ(code_of_counts({lost}, GateOn::kTime), ExitCode::kDone);
    EXPECT_EQ(code_of_counts({lost}, GateOn::kBoth, false), ExitCode::kDone) << "no gate";
}

TEST(Annotations, NameTheCaseAndEscapeWhatEndsAProperty) {
    EXPECT_EQ(github_annotations(comparison({judged(Verdict::kSlower), judged(Verdict::kSame), failed()}), {}),
              "::error title=dot[n=8%2Ckind=x] is slower::+5.1 %25 [+4.8, +5.4]\n"
              "::warning title=dot[n=8%2Ckind=x] failed::100 %25%0Alost\n");
}

TEST(Annotations, NameTheLayersThatExecuteMore) {
    VerdictOptions options;
    EXPECT_EQ(github_annotations(comparison({counted(1'088), counted(1'005)}), options),
              "::error title=dot[n=8%2Ckind=x] executes more instructions::1,000 -> 1,088 +8.8 %25: inner_loop +9\n");
    options.gate_on = GateOn::kTime;
    EXPECT_EQ(github_annotations(comparison({counted(1'088)}), options).substr(0, 9), "::warning");
    options.gate_on = GateOn::kInstructions;
    EXPECT_EQ(github_annotations(comparison({judged(Verdict::kSlower)}), options).substr(0, 9), "::warning");
}

/// What JUnit's readers take as the outcome of the only case.
std::string junit_of(const ComparedCase& compared, bool fail_on_inconclusive = false) {
    VerdictOptions options;
    options.fail_on_inconclusive = fail_on_inconclusive;
    return junit_report(comparison({compared}), options);
}

TEST(Junit, ReportsWhatAGateWouldNotLetPassWhetherItIsOneOrNot) {
    const std::string slower = junit_of(judged(Verdict::kSlower));
    EXPECT_THAT(slower, HasSubstr("<failure type=\"regression\" message=\"slower: +5.1 % [+4.8, +5.4]\">"));
    EXPECT_THAT(slower, HasSubstr("<testsuites name=\"bench\" tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\">"));
    EXPECT_THAT(slower, HasSubstr("classname=\"dot\" name=\"dot[n=8,kind=x]\""));
    EXPECT_THAT(junit_of(judged(Verdict::kSame)), HasSubstr("<system-out>same"));
    EXPECT_THAT(junit_of(judged(Verdict::kFaster)), HasSubstr("failures=\"0\""));
    EXPECT_THAT(junit_of(judged(Verdict::kInconclusive)), HasSubstr("failures=\"0\""));
    EXPECT_THAT(junit_of(judged(Verdict::kInconclusive), true), HasSubstr("<failure type=\"inconclusive\""));
    EXPECT_THAT(junit_of(counted(1'100)), HasSubstr("executes more instructions"));
    ComparedCase indicative = judged(Verdict::kSlower);
    indicative.standing = stats::Standing::kIndicative;
    EXPECT_THAT(junit_of(indicative), AllOf(HasSubstr("failures=\"0\""), HasSubstr("<system-out>slower")));
}

TEST(Junit, NamesFailedAndOneSidedCasesAndEscapesWhatTheySay) {
    ComparedCase hostile = failed();
    hostile.name = "a[x=\"<&>\x01]";
    const std::string text = junit_of(hostile);
    EXPECT_THAT(text, HasSubstr("name=\"a[x=&quot;&lt;&amp;&gt;\xEF\xBF\xBD]\""));
    EXPECT_THAT(text, HasSubstr("<error message=\"100 %"));
    EXPECT_THAT(text, Not(HasSubstr("\x01")));
    ComparedCase alone = judged(Verdict::kInconclusive);
    alone.presence = record::Presence::kOnlyA;
    alone.ratio.reset();
    alone.ratio_interval.reset();
    EXPECT_THAT(junit_of(alone), AllOf(HasSubstr("<skipped message=\"only a\"/>"), HasSubstr("skipped=\"1\"")));
}

}  // namespace
}  // namespace tare::cli
