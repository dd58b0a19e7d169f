// A comparison as JSON: for the `tare` object of records and for `--format json`.
#pragma once

#include "harness/record/comparison.h"
#include "harness/record/json.h"

namespace tare::record {

/// Per case: case, verdict, reason, standing, times, ratio with interval, values, margins, error; null where missing.
[[nodiscard]] Json compared_cases_to_json(const Comparison& comparison);
/// {"slower": 2, "faster": 0, "same": 56, "inconclusive": 2, "failed": 0, "only_a": 0, "only_b": 0}
[[nodiscard]] Json counts_to_json(const Comparison& comparison);

}  // namespace tare::record
