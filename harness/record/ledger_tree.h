// A ledger's call tree as text: inclusive and own instructions, calls, cut where it no longer weighs. Pure.
#pragma once

#include <string>

#include "harness/record/ledger_text.h"

namespace tare::record {

/// Children by their weight, most first; paths below `smallest_share` of the total are summed as "(37 more, 1.2 %)".
[[nodiscard]] std::string print_tree(const core::Ledger& ledger, const LedgerTableOptions& options);

}  // namespace tare::record
