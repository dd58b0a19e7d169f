// Both are asked for; the longer history wins.
#include "harness/history/time_series.h"

#include <algorithm>

namespace tare::history {

namespace {

constexpr const char* kAnchored = "anchored";

std::size_t most_points(const std::vector<core::Series>& series) {
    std::size_t most = 0;
    for (const core::Series& each : series) most = std::max(most, each.points.size());
    return most;
}

}  // namespace

void drop_single_anchors(std::vector<core::Series>& series) {
    if (most_points(series) < 2) return;
    std::erase_if(series,
                  [](const core::Series& each) { return each.key.metric == kAnchored && each.points.size() == 1; });
}

core::Expected<std::vector<core::Series>> time_series(StoreIndex& index, SeriesQuery query) {
    query.metric = "gross";
    core::Expected<std::vector<core::Series>> gross = index.series(query);
    if (!gross) return gross;
    query.metric = kAnchored;
    core::Expected<std::vector<core::Series>> anchored = index.series(query);
    if (!anchored) return anchored;
    if (anchored->empty() || most_points(*anchored) < most_points(*gross)) return gross;
    drop_single_anchors(*anchored);
    return anchored;
}

}  // namespace tare::history
