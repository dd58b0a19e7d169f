// What a person reads after a duet: its comparison in words, and the table. Pure.
#pragma once

#include <string>
#include <vector>

#include "harness/record/comparison.h"
#include "harness/record/text_table.h"

namespace tare::record {

/// `verdicts` are those of `decide`.
[[nodiscard]] Comparison comparison_of(const Duet& duet, const std::vector<CaseVerdict>& verdicts);

[[nodiscard]] std::string print_duet_table(const Duet& duet, const std::vector<CaseVerdict>& verdicts,
                                           const TableOptions& options);

}  // namespace tare::record
