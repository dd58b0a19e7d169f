// `bench report`: what the store holds, as one HTML file.
#pragma once

#include "harness/cli/exit_code.h"
#include "harness/cli/options.h"
#include "harness/cli/streams.h"

namespace tare::cli {

[[nodiscard]] ExitCode report_command(const Options& options, const Streams& streams);

}  // namespace tare::cli
