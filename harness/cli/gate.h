// From verdicts to what a CI sees: the exit code, and GitHub's annotations. Pure.
#pragma once

#include <string>

#include "harness/cli/exit_code.h"
#include "harness/cli/options.h"
#include "harness/record/comparison.h"

namespace tare::cli {

/// kRegression where a case is slower and its verdict gates (with --gate), kCasesFailed where one failed, kInconclusive
/// where one is inconclusive and the user asked to fail on it; else kDone.
[[nodiscard]] ExitCode gate_code(const record::Comparison& comparison, const VerdictOptions& options);

/// A workflow command a line, for the slower and the failed cases: GitHub shows them beside the pull request.
[[nodiscard]] std::string github_annotations(const record::Comparison& comparison);

}  // namespace tare::cli
