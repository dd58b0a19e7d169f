// At stake: a CI fails on a proven regression and on nothing else, unless it was asked to.
#include "harness/cli/gate.h"

#include <gtest/gtest.h>

namespace tare::cli {
namespace {

using record::ComparedCase;
using stats::Verdict;

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

TEST(Annotations, NameTheCaseAndEscapeWhatEndsAProperty) {
    EXPECT_EQ(github_annotations(comparison({judged(Verdict::kSlower), judged(Verdict::kSame), failed()})),
              "::error title=dot[n=8%2Ckind=x] is slower::+5.1 %25 [+4.8, +5.4]\n"
              "::warning title=dot[n=8%2Ckind=x] failed::100 %25%0Alost\n");
}

}  // namespace
}  // namespace tare::cli
