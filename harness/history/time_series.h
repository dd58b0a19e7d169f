// The time of cases as a store tells it best: beside a reference where it was measured so.
#pragma once

#include <string>
#include <vector>

#include "harness/core/error.h"
#include "harness/core/series.h"
#include "harness/history/store_index.h"

namespace tare::history {

/// Of each case in its surroundings the series of `anchored` where they are as long as those of `gross`: measured
/// beside a reference, a value owes nothing to the clock of its day. Else those of gross. First all of the metric that
/// has the longest series (anchored where both have). `query.metric` is not read; that of the series says which it is.
/// Errors: kUsage for a pattern that is none.
[[nodiscard]] core::Expected<std::vector<core::Series>> time_series(StoreIndex& index, SeriesQuery query);

/// The choice of time_series. Pure.
[[nodiscard]] std::vector<core::Series> chosen_times(std::vector<core::Series> gross,
                                                     std::vector<core::Series> anchored);

/// Takes away what single duets left where there are histories: a duet that confirmed a change has a reference, and so
/// a series of one point, of its own.
void drop_single_anchors(std::vector<core::Series>& series);

}  // namespace tare::history
