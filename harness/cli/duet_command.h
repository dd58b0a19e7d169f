// `bench duet`: two subjects measured by turns, a verdict for each case.
#pragma once

#include "harness/cli/exit_code.h"
#include "harness/cli/options.h"
#include "harness/cli/streams.h"

namespace tare::cli {

[[nodiscard]] ExitCode duet_command(const Options& options, const Streams& streams);

}  // namespace tare::cli
