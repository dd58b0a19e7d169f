// Sorts by half of the interval.
#include "harness/stats/least_known.h"

#include <algorithm>

namespace tare::stats {

std::vector<std::string> least_known(const std::vector<CaseEstimate>& estimates, double half_relative) {
    std::vector<std::pair<double, std::string>> wide;
    for (const CaseEstimate& estimate : estimates) {
        const auto gross = estimate.time_ns(core::RungKind::kPython);
        if (estimate.error || !gross || gross->basis != IntervalBasis::kProcesses || !(gross->value > 0)) continue;
        const double half = 0.5 * (gross->interval->high - gross->interval->low) / gross->value;
        if (half > half_relative) wide.emplace_back(half, estimate.name);
    }
    std::ranges::stable_sort(wide, [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<std::string> names;
    for (auto& [half, name] : wide) names.push_back(std::move(name));
    return names;
}

}  // namespace tare::stats
