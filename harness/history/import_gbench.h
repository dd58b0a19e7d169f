// Results of Google Benchmark, JSON schema 1. Pure.
#pragma once

#include <string_view>

#include "harness/core/error.h"
#include "harness/history/imported_run.h"

namespace tare::history {

/// Repetitions are samples of one process: Google Benchmark makes them in one. Where a file holds aggregates only, the
/// median (else the mean) is the one sample. Errors: kData for damage and for a file without a date.
[[nodiscard]] core::Expected<ImportedRun> parse_gbench(std::string_view text, std::string_view name,
                                                       const ImportHints& hints);

}  // namespace tare::history
