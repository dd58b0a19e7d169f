// From verdicts to what a CI sees: the exit code, and GitHub's annotations. Pure.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/exit_code.h"
#include "harness/cli/options.h"
#include "harness/core/error.h"
#include "harness/stats/verdict.h"

namespace tare::cli {

/// One case, as far as a gate cares.
struct Judged {
    std::string name;
    stats::Verdict verdict = stats::Verdict::kInconclusive;
    double ratio = 1;                      ///< b / a, or new / old
    std::optional<stats::Interval> range;  ///< of the ratio, 95 %
    bool gates = true;                     ///< false: indicative only
    std::string failure;                   ///< why there is no verdict; empty if there is one
};

/// kRegression where a case that gates is slower (with --gate), kCasesFailed where one failed, kInconclusive where one
/// is inconclusive and the user asked to fail on it; else kDone.
[[nodiscard]] ExitCode gate_code(const std::vector<Judged>& cases, const VerdictOptions& options);

/// A workflow command a line, for the slower and the failed cases: GitHub shows them beside the pull request.
[[nodiscard]] std::string github_annotations(const std::vector<Judged>& cases);

}  // namespace tare::cli
