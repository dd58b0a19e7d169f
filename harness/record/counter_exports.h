// Counters in CSV: for each its column (counter_columns.h), then with `_low`, `_high` and `_state` behind its name, and
// last instructions_per_cycle, where cycles and instructions were asked for. Pure.
#pragma once

#include <string>

#include "harness/record/summary.h"

namespace tare::record {

// Each begins with a comma, or is empty where no counter was asked for.
[[nodiscard]] std::string counters_csv_titles(const Summary& summary);
[[nodiscard]] std::string counters_csv_fields(const Summary& summary, const stats::CaseEstimate& estimate);

}  // namespace tare::record
