// LedgerDifference: by which layers and functions two ledgers differ, and when two counts differ at all: where their
// ranges over the memory layouts do not overlap, and never between different programs. Instructions of one execution.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/ledger.h"

namespace tare::core {

/// Memory layout alone does not explain the change: the ranges over the layouts are disjoint.
[[nodiscard]] constexpr bool beyond_spread(const Count& before, const Count& after) {
    return after.lowest > before.highest || after.highest < before.lowest;
}

/// A member of ProgramKey in which two keys differ.
struct ProgramDifference {
    std::string member;  ///< "cpu_features"
    std::string before;  ///< of cpu_features only the words that the other lacks
    std::string after;
    bool operator==(const ProgramDifference&) const = default;
};
/// Empty: counts of the two are comparable.
[[nodiscard]] std::vector<ProgramDifference> differences(const ProgramKey& before, const ProgramKey& after);
/// "cpu_features (AVX512F; none), host (embedded; executable)"; empty for equal keys.
[[nodiscard]] std::string difference_text(const std::vector<ProgramDifference>& differences);

/// Stands for all functions of a module that have no name that another build would share.
inline constexpr std::string_view kNameless = "(without a name)";

struct LedgerDifference {
    enum class Kind { kGrew, kShrank, kNew, kGone };
    struct Change {
        std::string name;
        std::string module;  ///< of a function: its file without folders; empty for a layer
        std::string layer;   ///< of a native function: where most of it belongs; else empty
        Count before;
        Count after;
        Kind kind = Kind::kGrew;
        std::int64_t change = 0;  ///< after.value - before.value
        bool operator==(const Change&) const = default;
    };

    std::array<std::string, 2> sides{"a", "b"};
    std::string case_a;
    std::string case_b;
    std::array<Count, 2> total;
    std::vector<Change> layers;                 ///< largest change first; only those beyond the spread
    std::vector<Change> functions;              ///< likewise
    std::vector<Change> python_functions = {};  ///< likewise; the same instructions, by Python function
    std::vector<std::string> moved = {};  ///< as many instructions in another file, or by another name: in neither
    std::size_t unclaimed = 0;            ///< functions that changed, but within the spread
    bool comparable = true;
    std::string why_not;  ///< empty if comparable
    std::vector<std::string> notes;
    bool operator==(const LedgerDifference&) const = default;
};

[[nodiscard]] constexpr std::string_view name_of(LedgerDifference::Kind kind) {
    switch (kind) {
        case LedgerDifference::Kind::kGrew:
            return "grew";
        case LedgerDifference::Kind::kShrank:
            return "shrank";
        case LedgerDifference::Kind::kNew:
            return "new";
        case LedgerDifference::Kind::kGone:
            return "gone";
    }
    return "?";
}

}  // namespace tare::core
