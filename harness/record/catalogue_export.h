// The catalogue as text: for `bench list`. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/core/case.h"

namespace tare::record {

/// One line an operation (name, number of cases, parameters with their values, statement), or with `every_case` one
/// line a case; the last line counts. `width` 0: no limit.
[[nodiscard]] std::string print_case_table(const std::vector<core::Case>& cases, bool every_case, std::size_t width);

/// {"cases": [{"name", "operation", "parameters", "statement", "rungs"}]}
[[nodiscard]] std::string print_case_json(const std::vector<core::Case>& cases);
/// name,operation,statement,rungs
[[nodiscard]] std::string print_case_csv(const std::vector<core::Case>& cases);
[[nodiscard]] std::string print_case_markdown(const std::vector<core::Case>& cases);

}  // namespace tare::record
