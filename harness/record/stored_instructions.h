// The ledgers of two records, joined by case and added to their comparison. Pure.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "harness/record/comparison.h"

namespace tare::record {

/// Cases of which both sides have nothing but a ledger follow the others. `margins_of` may be empty.
void add_instructions(Comparison& comparison, std::span<const core::Ledger> before, std::span<const core::Ledger> after,
                      const std::function<stats::Margins(const std::string& case_name)>& margins_of);

}  // namespace tare::record
