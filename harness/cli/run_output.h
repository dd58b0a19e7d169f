// What `bench run` puts on stdout, in the format asked for.
#pragma once

#include "harness/cli/options.h"
#include "harness/cli/streams.h"
#include "harness/record/record.h"
#include "harness/record/summary.h"

namespace tare::cli {

void print_results(const Options& options, const Streams& streams, const record::Record& record,
                   const record::Summary& summary);

}  // namespace tare::cli
