// `bench store`: looks after the records that are kept.
#pragma once

#include "harness/cli/exit_code.h"
#include "harness/cli/options.h"
#include "harness/cli/streams.h"

namespace tare::cli {

[[nodiscard]] ExitCode store_command(const Options& options, const Streams& streams);

}  // namespace tare::cli
