// Duets that confirm, or refute, proposed change points: one for each pair of neighbouring releases or commits, over
// all cases that changed there.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/options.h"
#include "harness/cli/streams.h"
#include "harness/history/trend.h"

namespace tare::cli {

/// Measures for every change that is still proposed, in environments of options.subject's interpreter; `build` as in
/// EnvironmentMaker, for commits. What cannot be tried says why. `machine`: this one as history::machine_of names it;
/// changes seen on others are not tried, and what turns out to be measured in other surroundings confirms nothing.
/// Errors: no interpreter, no cache folder; kInterrupted.
[[nodiscard]] core::Status confirm_by_duets(const Options& options, const std::string& build, const Streams& streams,
                                            const std::string& machine, std::vector<history::Trend>& trends);

}  // namespace tare::cli
