// Results of pytest-benchmark (--benchmark-json, --benchmark-save). Pure.
#pragma once

#include <string_view>

#include "harness/core/error.h"
#include "harness/history/imported_run.h"

namespace tare::history {

/// A test is a case, its rounds are samples of one process: pytest-benchmark makes them in one. Where a file keeps no
/// rounds (saved without --benchmark-save-data), the median is the one sample. Its commit is that of the project.
/// Errors: kData for damage and for a file without a date.
[[nodiscard]] core::Expected<ImportedRun> parse_pytest_benchmark(std::string_view text, std::string_view name,
                                                                 const ImportHints& hints);

}  // namespace tare::history
