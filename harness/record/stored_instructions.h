// The ledgers of two records, joined by case and added to their comparison. Pure.
#pragma once

#include <functional>
#include <string>

#include "harness/record/comparison.h"
#include "harness/record/record.h"

namespace tare::record {

/// Cases of which both sides have nothing but a ledger follow the others. `margins_of` may be empty.
/// A case whose ledger the new record could not make is not compared, with that record's reason.
void add_instructions(Comparison& comparison, const Record& before, const Record& after,
                      const std::function<stats::Margins(const std::string& case_name)>& margins_of);

}  // namespace tare::record
