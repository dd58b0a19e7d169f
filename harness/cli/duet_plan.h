// Which cases a duet measures: those that both sides have, with their margins; and those on one side only. Pure.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/tolerances.h"
#include "harness/core/case.h"
#include "harness/core/error.h"
#include "harness/record/duet.h"

namespace tare::cli {

/// Cases are the same by name; what they execute may differ (--a-suite, --b-suite). In the order of a's catalogue,
/// those of b alone last. Errors: as select_cases, where the filter matches nothing on either side; kUsage where no
/// case is on both.
[[nodiscard]] core::Expected<std::vector<record::DuetCase>> pair_cases(const core::Catalogue& a,
                                                                       const core::Catalogue& b,
                                                                       const std::string& filter,
                                                                       const stats::Margins& margins,
                                                                       const Tolerances& tolerances);

/// Those that are measured, as the schedule takes them.
[[nodiscard]] std::vector<core::Case> measured_cases(const std::vector<record::DuetCase>& cases,
                                                     const core::Catalogue& a);

}  // namespace tare::cli
