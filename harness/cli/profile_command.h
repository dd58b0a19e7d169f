// `bench profile`: runs a program, samples it, says where its time went.
#pragma once

#include "harness/cli/exit_code.h"
#include "harness/cli/options.h"
#include "harness/cli/streams.h"

namespace tare::cli {

/// `program_status`: the program's own exit status, which is bench's where all else went well.
[[nodiscard]] ExitCode profile_command(const Options& options, const Streams& streams, int& program_status);

}  // namespace tare::cli
