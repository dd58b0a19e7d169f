// Duets that confirm, or refute, proposed change points: one for each pair of neighbouring releases or commits, over
// all cases that changed there.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/options.h"
#include "harness/cli/streams.h"
#include "harness/history/trend.h"

namespace tare::cli {

/// Measures for every change that is still proposed, in environments of options.subject's interpreter, or of commits
/// as options.trend.build makes them; with the threads of its series. What cannot be tried says why: series of another
/// machine (`machine`: this one as history::machine_of names it), interpreter or host, or with other variables; and
/// what turns out to be measured in other surroundings confirms nothing. Errors: no interpreter, no cache folder;
/// kInterrupted, with the changes judged so far.
[[nodiscard]] core::Status confirm_by_duets(const Options& options, const Streams& streams, const std::string& machine,
                                            std::vector<history::Trend>& trends);

}  // namespace tare::cli
