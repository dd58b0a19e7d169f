// At stake: a CI fails on a proven regression and on nothing else, unless it was asked to.
#include "harness/cli/gate.h"

#include <gtest/gtest.h>

namespace tare::cli {
namespace {

using stats::Verdict;

Judged judged(Verdict verdict) {
    return {.name = "dot[n=8,kind=x]",
            .verdict = verdict,
            .ratio = 1.051,
            .range = stats::Interval{1.048, 1.0541},
            .gates = true,
            .failure = {}};
}

ExitCode code_of(std::vector<Judged> cases, bool gate, bool fail_on_inconclusive = false) {
    VerdictOptions options;
    options.gate = gate;
    options.fail_on_inconclusive = fail_on_inconclusive;
    return gate_code(cases, options);
}

TEST(Gate, FailsOnASlowerCaseOnlyWhereItIsAGate) {
    EXPECT_EQ(code_of({judged(Verdict::kSame), judged(Verdict::kSlower)}, true), ExitCode::kRegression);
    EXPECT_EQ(code_of({judged(Verdict::kSlower)}, false), ExitCode::kDone);
    EXPECT_EQ(code_of({judged(Verdict::kFaster), judged(Verdict::kSame)}, true), ExitCode::kDone);
    Judged indicative = judged(Verdict::kSlower);
    indicative.gates = false;
    EXPECT_EQ(code_of({indicative}, true), ExitCode::kDone);
}

TEST(Gate, FailsOnAnInconclusiveCaseOnlyWhereAsked) {
    EXPECT_EQ(code_of({judged(Verdict::kInconclusive)}, true), ExitCode::kDone);
    EXPECT_EQ(code_of({judged(Verdict::kInconclusive)}, true, true), ExitCode::kInconclusive);
    EXPECT_EQ(code_of({judged(Verdict::kInconclusive), judged(Verdict::kSlower)}, true, true), ExitCode::kRegression);
}

TEST(Gate, AFailedCaseIsNoRegressionAndNotNothing) {
    Judged failed = judged(Verdict::kInconclusive);
    failed.failure = "side b: ValueError";
    EXPECT_EQ(code_of({failed}, false), ExitCode::kCasesFailed);
    EXPECT_EQ(code_of({failed, judged(Verdict::kSlower)}, true), ExitCode::kRegression);
}

TEST(Annotations, NameTheCaseAndEscapeWhatEndsAProperty) {
    Judged failed = judged(Verdict::kInconclusive);
    failed.failure = "100 %\nlost";
    EXPECT_EQ(github_annotations({judged(Verdict::kSlower), judged(Verdict::kSame), failed}),
              "::error title=dot[n=8%2Ckind=x] is slower::+5.1 %25 (95 %25: +4.8 to +5.4 %25)\n"
              "::warning title=dot[n=8%2Ckind=x] failed::100 %25%0Alost\n");
}

}  // namespace
}  // namespace tare::cli
