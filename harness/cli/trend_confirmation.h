// What a duet of the two sides says of each proposed change point.
#pragma once

#include <vector>

#include "harness/cli/options.h"
#include "harness/cli/streams.h"
#include "harness/history/trend.h"

namespace tare::cli {

/// Measures, for each change point of `trends`, the last version before it against the first after it, and sets its
/// standing and confirmation. Errors: kUsage, kEnvironment, kInterrupted.
[[nodiscard]] core::Status confirm_changes(const Options& options, const Streams& streams,
                                           std::vector<history::Trend>& trends);

}  // namespace tare::cli
