// A whole ledger as JSON, under the names of core::Ledger: what `explain` gives. Also the pieces that others share.
#pragma once

#include "harness/core/ledger.h"
#include "harness/record/json.h"

namespace tare::record {

[[nodiscard]] Json count_to_json(const core::Count& count);  ///< {"value", "lowest", "highest"}
[[nodiscard]] Json whole_ledger_to_json(const core::Ledger& ledger);

[[nodiscard]] Json ledger_problem_to_json(const core::LedgerProblem& problem);
/// Errors: kData where it names no case.
[[nodiscard]] core::Expected<core::LedgerProblem> ledger_problem_from_json(const Json& json);

}  // namespace tare::record
