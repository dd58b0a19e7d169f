// `bench worker`: the workers that this installation has, and those that it builds for other interpreters.
#pragma once

#include "harness/cli/exit_code.h"
#include "harness/cli/options.h"
#include "harness/cli/streams.h"

namespace tare::cli {

[[nodiscard]] ExitCode worker_command(const Options& options, const Streams& streams);

}  // namespace tare::cli
