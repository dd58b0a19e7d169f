// What a bisection found, as values, and how it is told: a table step by step, a line for each case, JSON. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/history/bisection.h"
#include "harness/record/number_text.h"
#include "harness/stats/contrast.h"

namespace tare::history {

/// One duet of the first candidate (side a) with another (side b).
struct BisectStep {
    std::string candidate;  ///< a release, or a commit
    stats::Finding finding;
    ChangeSide side = ChangeSide::kUnknown;
    std::string problem;  ///< why nothing was measured: "no wheel ..."; else empty
};

/// A case that differs between the two ends.
struct BisectedCase {
    std::string name;
    std::string last_before;
    std::string first_after;
    std::vector<std::string> between;     ///< candidates between the two: not asked or not told; empty: it is decided
    double total_ratio = 1;               ///< last candidate / first one
    std::optional<stats::Contrast> step;  ///< first_after against last_before, from two duets with the first candidate
    bool returns = false;                 ///< a later candidate lies before the change again
};

struct BisectReport {
    std::string good;
    std::string bad;
    std::string target;               ///< the case that was bisected; empty: nothing to bisect
    std::vector<BisectStep> steps;    ///< of the target, as measured; the two ends first
    std::vector<BisectedCase> cases;  ///< the target first
    std::size_t selected = 0;         ///< cases that were compared
    std::size_t inconclusive = 0;     ///< of them
    std::vector<std::string> notes;
};

/// `later` and `earlier` against the same first candidate, as later against earlier; `earlier` none: the first itself.
[[nodiscard]] stats::Contrast step_between(const std::optional<stats::Contrast>& earlier, const stats::Contrast& later);

/// "add_at[n=8]: faster since 1.25.0: -85 % [-86, -84]; 1.24.4 is the last slow one".
[[nodiscard]] std::string answer_of(const BisectedCase& bisected);

/// The steps in the order of measuring.
[[nodiscard]] std::string print_bisect_table(const BisectReport& report, std::size_t width,
                                             const record::TextStyle& style);
[[nodiscard]] std::string print_bisect_json(const BisectReport& report);

}  // namespace tare::history
