// Drift warnings: what a visit says where the cost of a statement changed as it was repeated (measure/drift.h).
#pragma once

#include <cstddef>
#include <string_view>

namespace tare::core {

inline constexpr std::string_view kCostFalls = "its cost falls as it is repeated";
inline constexpr std::string_view kCostRises = "its cost rises as it is repeated";

/// Also of one side of a duet, which is named before.
[[nodiscard]] constexpr bool is_drift_warning(std::string_view text) {
    return text.find(kCostFalls) != std::string_view::npos || text.find(kCostRises) != std::string_view::npos;
}

/// Whether what `said` of a case's `visits` say holds of the case. A neighbour on the core slows the first executions
/// after a set-up, whose code is in no cache, more than others: beside some that took half of the time 1.5 % of visits
/// warned, up to a third of one case's, and with them 5 of 80 cases in each run.
[[nodiscard]] constexpr bool is_drift_of_the_case(std::size_t said, std::size_t visits) {
    return 2 * said >= visits;
}

}  // namespace tare::core
