// `bench bisect`: which release, or commit, made the selected cases slower or faster.
#pragma once

#include "harness/cli/exit_code.h"
#include "harness/cli/options.h"
#include "harness/cli/streams.h"

namespace tare::cli {

[[nodiscard]] ExitCode bisect_command(const Options& options, const Streams& streams);

}  // namespace tare::cli
