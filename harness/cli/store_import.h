// `bench store import`: results of asv, pyperf and Google Benchmark become records of the store.
#pragma once

#include "harness/cli/exit_code.h"
#include "harness/cli/options.h"
#include "harness/cli/streams.h"

namespace tare::cli {

/// kCasesFailed where some of the files were refused, kUsage where all were.
[[nodiscard]] ExitCode store_import(const Options& options, const Streams& streams);

}  // namespace tare::cli
