// What is said of the instruction counts of a whole comparison: how many changed, in which layers, and why some are not
// compared. Pure.
#pragma once

#include <string>
#include <vector>

#include "harness/record/comparison.h"

namespace tare::record {

struct InstructionCounts {
    std::array<std::size_t, 4> of{};  ///< by InstructionClaim
    std::size_t one_sided = 0;        ///< cases with a ledger in one record only
    [[nodiscard]] std::size_t operator[](InstructionClaim claim) const { return of[static_cast<std::size_t>(claim)]; }
    [[nodiscard]] std::size_t all() const { return of[0] + of[1] + of[2] + of[3]; }
};
[[nodiscard]] InstructionCounts count_instructions(const Comparison& comparison);

/// "instructions: 3 more, 1 fewer, 50 unchanged, 2 not compared"; empty where no case has two ledgers.
[[nodiscard]] std::string instruction_counts_text(const Comparison& comparison);

/// Lines: the counts, the layers of the largest changes, and, once each, why counts are not compared.
[[nodiscard]] std::vector<std::string> instruction_notes(const Comparison& comparison);

}  // namespace tare::record
