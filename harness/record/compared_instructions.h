// ComparedInstructions: what the counts of one case's two ledgers say of each other. Exact, so that a change is claimed
// wherever the ranges over the memory layouts are disjoint; and only of one program (core::ProgramKey). Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/ledger_difference.h"
#include "harness/stats/margins.h"

namespace tare::record {

enum class InstructionClaim { kMore, kFewer, kNone, kNotCompared };
[[nodiscard]] std::string_view name_of(InstructionClaim claim);  ///< "more", "fewer", "none", "not compared"

struct LayerChange {
    std::string layer;
    core::Count before;
    core::Count after;
    [[nodiscard]] std::int64_t change() const { return static_cast<std::int64_t>(after.value - before.value); }
    bool operator==(const LayerChange&) const = default;
};

struct ComparedInstructions {
    core::Count before;
    core::Count after;
    InstructionClaim claim = InstructionClaim::kNotCompared;
    std::string reason;  ///< why they are not compared; empty if they are
    std::vector<core::ProgramDifference> programs;
    std::vector<LayerChange> layers = {};  ///< beyond the spread only, largest change first
    bool lost = false;  ///< the new record tried to make this ledger and could not: `after` is nothing

    /// after / before; nothing where that is not a number.
    [[nodiscard]] std::optional<double> ratio() const;
    /// More, by more than the tolerance: what a gate does not let pass.
    [[nodiscard]] bool exceeds(const stats::Margins& margins) const;
    bool operator==(const ComparedInstructions&) const = default;
};

/// Not compared: ledgers of different programs or statements, and of few layouts, whose spread nobody knows.
[[nodiscard]] ComparedInstructions compare_ledgers(const core::Ledger& before, const core::Ledger& after);

/// "3,770 -> 4,102 +8.8 %"; without a percentage where none is claimed, one number where both are the same.
[[nodiscard]] std::string instructions_text(const ComparedInstructions& compared);
/// "type_resolution +210, loop_setup +80, 3 more": the largest changes; empty where no layer changed.
[[nodiscard]] std::string changed_layers_text(const ComparedInstructions& compared);

}  // namespace tare::record
