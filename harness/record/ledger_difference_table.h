// A difference of two ledgers as text, Markdown, CSV and JSON. Pure.
#pragma once

#include <span>
#include <string>

#include "harness/core/ledger_difference.h"
#include "harness/record/ledger_text.h"

namespace tare::record {

/// The totals, then layers and functions that changed beyond the spread over layouts; or why the two are not compared.
[[nodiscard]] std::string print_ledger_difference(const core::LedgerDifference& difference,
                                                  const LedgerTableOptions& options);

[[nodiscard]] std::string ledger_difference_markdown(const core::LedgerDifference& difference,
                                                     const LedgerTableOptions& options);

/// RFC 4180. A line for the total and for each change of every case: case, kind (total, layer, function), name, module,
/// layer, change_kind (grew, shrank, new, gone), and of either side, named as in the first one's `sides`, instructions
/// with lowest and highest, and change.
[[nodiscard]] std::string ledger_differences_csv(std::span<const core::LedgerDifference> differences);

/// {"kind": "ledger differences", "differences": [...], "problems": [...]}: all of each under its members' names.
[[nodiscard]] std::string ledger_differences_json(std::span<const core::LedgerDifference> differences,
                                                  std::span<const core::LedgerProblem> problems);

}  // namespace tare::record
