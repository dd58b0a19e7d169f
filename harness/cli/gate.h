// From verdicts to what a CI sees: the exit code, and GitHub's annotations. Pure.
#pragma once

#include <string>

#include "harness/cli/exit_code.h"
#include "harness/cli/options.h"
#include "harness/record/comparison.h"

namespace tare::cli {

/// What a gate makes of one case, whether it was asked for or not: the exit status, and in words why; empty: it passes.
struct CaseGate {
    ExitCode code = ExitCode::kDone;
    std::string text;
};
[[nodiscard]] CaseGate gate_of(const record::ComparedCase& compared, const VerdictOptions& options);

/// With --gate kRegression where a case is slower and its verdict gates, or executes more instructions by more than its
/// tolerance (--gate-on chooses); kCasesFailed where one failed; kInconclusive where the user asked to fail on it and
/// one is inconclusive, or its ledgers could not be compared; else kDone.
[[nodiscard]] ExitCode gate_code(const record::Comparison& comparison, const VerdictOptions& options);

/// A workflow command a line, for the slower and the failed cases and those that execute more instructions: GitHub
/// shows them beside the pull request. Errors: what a gate would not let pass.
[[nodiscard]] std::string github_annotations(const record::Comparison& comparison, const VerdictOptions& options);

}  // namespace tare::cli
