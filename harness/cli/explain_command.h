// `bench explain`: where the instructions of one call go, and by what two differ.
#pragma once

#include "harness/cli/exit_code.h"
#include "harness/cli/options.h"
#include "harness/cli/streams.h"

namespace tare::cli {

[[nodiscard]] ExitCode explain_command(const Options& options, const Streams& streams);

}  // namespace tare::cli
