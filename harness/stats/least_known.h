// Which cases a run knows least of: those that further processes are to visit. Pure.
#pragma once

#include <string>
#include <vector>

#include "harness/stats/estimate.h"

namespace tare::stats {

/// Names of the cases whose gross has an interval over processes of which half is more than this part of the gross,
/// the widest first. Those that failed have none.
[[nodiscard]] std::vector<std::string> least_known(const std::vector<CaseEstimate>& estimates, double half_relative);

}  // namespace tare::stats
