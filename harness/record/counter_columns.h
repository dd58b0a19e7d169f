// The names that counters bear where names stand flat: columns of CSV, top-level numbers of a record's rows, members of
// a case's `counters`. Pure.
#pragma once

#include <string>
#include <vector>

#include "harness/core/counter.h"
#include "harness/stats/run_counters.h"

namespace tare::record {

/// In the order of `names`: the counter's own name, or with `counted_` before it where that is taken by a member of
/// Google Benchmark's or our own, or by another counter with `_low`, `_high` or `_state` behind it. So the instructions
/// that a PMU counts are `counted_instructions`; `instructions` are a ledger's.
[[nodiscard]] std::vector<std::string> column_names(const std::vector<std::string>& names);

[[nodiscard]] std::vector<std::string> column_names(const std::vector<core::CounterRequest>& requests);
[[nodiscard]] std::vector<std::string> column_names(const std::vector<stats::RunCounter>& counters);

}  // namespace tare::record
