// Ledgers for other programs: Markdown, CSV, JSON. Pure.
#pragma once

#include <span>
#include <string>

#include "harness/record/case_times.h"
#include "harness/record/ledger_text.h"

namespace tare::record {

/// A section a case: layers, modules, ways through BLAS, and the heaviest functions, in GitHub's Markdown.
[[nodiscard]] std::string ledger_markdown(std::span<const core::Ledger> ledgers, const LedgerTableOptions& options);

/// RFC 4180. A line for each case and each of its `kind`s: total, floor, layer, module, function, route, allocation,
/// system_call: case, kind, name, module, instructions, lowest, highest, share_ratio, calls, bytes. What a kind has not
/// is empty.
[[nodiscard]] std::string ledger_csv(std::span<const core::Ledger> ledgers);

/// {"kind": "ledgers", "ledgers": [...], "problems": [...]}: all of each core::Ledger under its members' names; where
/// time was sampled also "profile_tables", "profiles" and "profile_problems", as records have them.
[[nodiscard]] std::string ledger_json(std::span<const core::Ledger> ledgers,
                                      std::span<const core::LedgerProblem> problems,
                                      std::span<const core::CaseProfile> profiles = {},
                                      std::span<const CaseTime> times = {},
                                      std::span<const core::ProfileProblem> profile_problems = {});

}  // namespace tare::record
