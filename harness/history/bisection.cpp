// Binary search with holes.
#include "harness/history/bisection.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <set>

namespace tare::history {

namespace {

/// The candidate nearest to the middle of (low, high) that was not asked yet.
std::optional<std::size_t> next_between(std::size_t low, std::size_t high, const std::set<std::size_t>& unknown) {
    const std::size_t middle = low + (high - low) / 2;
    for (std::size_t distance = 0; distance < high - low; ++distance) {
        if (middle >= low + distance + 1 && middle - distance > low && !unknown.contains(middle - distance))
            return middle - distance;
        if (middle + distance < high && middle + distance > low && !unknown.contains(middle + distance))
            return middle + distance;
    }
    return std::nullopt;
}

}  // namespace

ChangeSide side_of(const stats::Finding& finding, const ChangeRule& rule) {
    const bool rises = rule.total_log_ratio > 0;
    if (rule.share == 0) {
        if (finding.verdict == stats::Verdict::kInconclusive) return ChangeSide::kUnknown;
        const stats::Verdict changed = rises ? stats::Verdict::kSlower : stats::Verdict::kFaster;
        return finding.verdict == changed ? ChangeSide::kAfter : ChangeSide::kBefore;
    }
    if (!finding.ratio_interval) return ChangeSide::kUnknown;
    const double threshold = rule.share * rule.total_log_ratio;
    if (std::log(finding.ratio_interval->low) > threshold) return rises ? ChangeSide::kAfter : ChangeSide::kBefore;
    if (std::log(finding.ratio_interval->high) < threshold) return rises ? ChangeSide::kBefore : ChangeSide::kAfter;
    return ChangeSide::kUnknown;
}

Bisection bisect(std::size_t count, const AskSide& ask) {
    assert(count >= 2);
    Bisection found{.last_before = 0, .first_after = count - 1, .unknown = {}, .ended = {}};
    std::set<std::size_t> unknown;
    while (const auto candidate = next_between(found.last_before, found.first_after, unknown)) {
        const core::Expected<ChangeSide> side = ask(*candidate);
        if (!side) {
            found.ended = tl::unexpected<core::Error>(side.error());
            break;
        }
        if (*side == ChangeSide::kBefore)
            found.last_before = *candidate;
        else if (*side == ChangeSide::kAfter)
            found.first_after = *candidate;
        else
            unknown.insert(*candidate);
    }
    for (const std::size_t candidate : unknown)
        if (candidate > found.last_before && candidate < found.first_after) found.unknown.push_back(candidate);
    return found;
}

ChangeBracket bracket_of(const std::vector<std::optional<ChangeSide>>& sides) {
    assert(sides.size() >= 2);
    ChangeBracket bracket{.last_before = 0, .first_after = sides.size() - 1, .returns = false};
    const auto first = std::find(sides.begin(), sides.end(), std::optional(ChangeSide::kAfter));
    if (first != sides.end()) bracket.first_after = static_cast<std::size_t>(first - sides.begin());
    for (std::size_t i = 0; i < sides.size(); ++i) {
        if (sides[i] != std::optional(ChangeSide::kBefore)) continue;
        if (i < bracket.first_after)
            bracket.last_before = i;
        else
            bracket.returns = true;
    }
    return bracket;
}

}  // namespace tare::history
