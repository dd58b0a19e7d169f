// What `bench explain` puts on stdout and into files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/cli/options.h"
#include "harness/cli/streams.h"
#include "harness/core/case_profile.h"
#include "harness/core/error.h"
#include "harness/core/ledger.h"
#include "harness/core/ledger_difference.h"
#include "harness/record/summary.h"

namespace tare::cli {

struct Explanation {
    std::string heading;     ///< what ran
    record::Summary timing;  ///< of their rungs; empty with --no-timing
    std::vector<core::Ledger> ledgers;
    std::vector<core::CaseProfile> profiles;  ///< of the cases timed, sampled beside
    std::vector<core::ProfileProblem> profile_problems;
    std::vector<core::LedgerProblem> problems;
    std::vector<core::LedgerDifference> differences;  ///< with --against or --diff
};

void print_explanation(const Options& options, const Streams& streams, const Explanation& explanation);

/// --flamegraph, --speedscope, --folded, --callgrind.
[[nodiscard]] core::Status write_profiles(const Options& options, const Explanation& explanation);

}  // namespace tare::cli
