// A comparison as JUnit's XML, which GitLab, Jenkins and most CI systems show beside a change. Pure.
#pragma once

#include <string>

#include "harness/cli/options.h"
#include "harness/record/comparison.h"

namespace tare::cli {

/// A test case for each case, its class the operation. `failure`: what a gate would not let pass, in its words;
/// `error`: a case that failed; `skipped`: one that only one side has; else its verdict is in `system-out`. `time` is
/// what the second side takes, in seconds. The format: https://github.com/testmoapp/junitxml.
[[nodiscard]] std::string junit_report(const record::Comparison& comparison, const VerdictOptions& options);

}  // namespace tare::cli
