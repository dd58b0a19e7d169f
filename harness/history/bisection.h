// Where in a row of releases or commits did something change? A bisection that asks an oracle, and what answers already
// given say of other cases. Pure: whoever asks measures.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "harness/core/error.h"
#include "harness/stats/estimators.h"
#include "harness/stats/verdict.h"

namespace tare::history {

/// On which side of the change a candidate lies.
enum class ChangeSide { kBefore, kAfter, kUnknown };

/// What has to be passed for a candidate to lie after the change.
struct ChangeRule {
    double total_log_ratio = 0;  ///< of the last candidate against the first
    double share = 0.5;          ///< of it; 0: any proven change in that direction
};

/// A step of the bisection: the candidate against the first one. Unknown where the interval holds the threshold, or,
/// with a share of 0, where the verdict is inconclusive.
[[nodiscard]] ChangeSide side_of(const stats::Finding& finding, const ChangeRule& rule);

struct Bisection {
    std::size_t last_before = 0;
    std::size_t first_after = 0;
    std::vector<std::size_t> unknown;  ///< asked between the two, and not told; ascending
    core::Status ended;                ///< the oracle's error, which ended it early

    [[nodiscard]] bool decided() const { return ended && first_after == last_before + 1; }
};

using AskSide = std::function<core::Expected<ChangeSide>(std::size_t candidate)>;

/// Candidates 0 (before) to count - 1 (after), count at least 2. The middle is asked first; where it cannot be told,
/// its nearest neighbours. No candidate is asked twice.
[[nodiscard]] Bisection bisect(std::size_t count, const AskSide& ask);

/// What answers in no particular order say.
struct ChangeBracket {
    std::size_t last_before = 0;
    std::size_t first_after = 0;
    bool returns = false;  ///< a later candidate lies before the change again: it changed more than once
};

/// `sides[0]` is kBefore and the last kAfter; what was not asked is absent. first_after is the first that lies after,
/// last_before the last one in front of it.
[[nodiscard]] ChangeBracket bracket_of(const std::vector<std::optional<ChangeSide>>& sides);

}  // namespace tare::history
