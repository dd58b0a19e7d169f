// `bench trend`: how cases moved over dates, versions or commits.
#pragma once

#include "harness/cli/exit_code.h"
#include "harness/cli/options.h"
#include "harness/cli/streams.h"

namespace tare::cli {

[[nodiscard]] ExitCode trend_command(const Options& options, const Streams& streams);

}  // namespace tare::cli
