// `bench pmu list` and `bench pmu check`: which events there are, and which counters work on this machine.
#pragma once

#include "harness/cli/exit_code.h"
#include "harness/cli/options.h"
#include "harness/cli/streams.h"

namespace tare::cli {

[[nodiscard]] ExitCode pmu_command(const Options& options, const Streams& streams);

}  // namespace tare::cli
