// The interval of a share that was counted: a pure function.
#pragma once

#include "harness/stats/estimators.h"

namespace tare::stats {

/// Wilson's score interval for a share seen in so many independent samples (Wilson 1927): honest near 0 and 1 too,
/// where the textbook's p (1 - p) / n claims certainty. The share is clamped to [0, 1]; of no samples it is all of [0,
/// 1].
[[nodiscard]] Interval share_interval(double share, double samples, double confidence = kConfidence);

}  // namespace tare::stats
