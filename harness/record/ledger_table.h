// The text that a person reads of a case's ledger, and of several side by side. Pure.
#pragma once

#include <span>
#include <string>

#include "harness/record/ledger_text.h"

namespace tare::record {

/// One case: its total, then by layer and by module, the ways through BLAS, the heaviest functions, allocations, system
/// calls, functions whose counts vary with the layout, what has no name, and warnings.
[[nodiscard]] std::string print_ledger(const core::Ledger& ledger, const LedgerTableOptions& options);

/// Cases as columns: totals, layers and routes as rows. What does not fit beside is printed below.
[[nodiscard]] std::string print_ledgers_side_by_side(std::span<const core::Ledger> ledgers,
                                                     const LedgerTableOptions& options);

/// "\n2 ledgers could not be made" and why; empty if all could.
[[nodiscard]] std::string ledger_problems_text(std::span<const core::LedgerProblem> problems);

}  // namespace tare::record
