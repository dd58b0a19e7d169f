// What a pass of the harness's loop costs, known from all processes of a case together. A line through loops of 1, 2, 4
// and 8 copies tells it in one process with an error of 4 to 8 % of an execution, an eighth of which was in every value
// of that process: it made a third of the spread between processes (harness/docs/quiet_measured.md). Pure.
#pragma once

#include <vector>

#include "harness/core/references.h"
#include "harness/core/visit.h"

namespace tare::stats {

/// The end of a pass, which an empty loop does not show, took 0 to 7 times what an empty pass does wherever it was
/// known to a few nanoseconds (statements of 10 ns to 2 us). Above that lines of long statements tell their own noise.
inline constexpr double kMostEmptyPasses = 8;

/// `visits`: of one case; those that failed stay as they are. Gives each python rung of several copies the median floor
/// of the quiet processes, or of all where fewer than 3 are quiet, no less than 0 and no more than kMostEmptyPasses;
/// and the standard error of it, at most that of an even draw between these limits. Those that have an error have been
/// given a floor before, and keep it.
void pool_floors(std::vector<core::Visit>& visits, const core::References& best);

}  // namespace tare::stats
