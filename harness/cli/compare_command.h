// `bench compare`: stored records, with as much of a verdict as they allow; and the verdicts of a duet computed anew.
#pragma once

#include "harness/cli/exit_code.h"
#include "harness/cli/options.h"
#include "harness/cli/streams.h"

namespace tare::cli {

[[nodiscard]] ExitCode compare_command(const Options& options, const Streams& streams);

}  // namespace tare::cli
