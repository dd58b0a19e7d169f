// The table that a person reads after a comparison, live or stored: changed cases first. Pure.
#pragma once

#include <string>

#include "harness/record/comparison.h"
#include "harness/record/text_table.h"

namespace tare::record {

[[nodiscard]] std::string print_comparison_table(const Comparison& comparison, const TableOptions& options);

}  // namespace tare::record
