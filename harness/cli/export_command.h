// `bench export`: records for other tools, written by the Python package, beside the libraries of their formats.
#pragma once

#include "harness/cli/exit_code.h"
#include "harness/cli/options.h"
#include "harness/cli/streams.h"

namespace tare::cli {

/// Returns only where it cannot be handed over: the interpreter replaces this process.
[[nodiscard]] ExitCode export_command(const Options& options, const Streams& streams);

}  // namespace tare::cli
