// Results of pyperf, JSON format 1.0: a suite of benchmarks, whose runs are processes. Pure.
#pragma once

#include <string_view>

#include "harness/core/error.h"
#include "harness/history/imported_run.h"

namespace tare::history {

/// Each run with values becomes a visit of a process of its own; warm-ups and calibrations are left out, as pyperf
/// leaves them out of its own figures. The date is that of the first run, as the machine's clock showed it: pyperf
/// notes no offset. Errors: kData for damage, other versions, and a suite without a date.
[[nodiscard]] core::Expected<ImportedRun> parse_pyperf(std::string_view text, std::string_view name,
                                                       const ImportHints& hints);

}  // namespace tare::history
