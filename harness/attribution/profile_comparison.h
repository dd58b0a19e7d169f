// What two profiles differ by, beyond the error of sampling. Pure.
#pragma once

#include <string>

#include "harness/core/profile.h"
#include "harness/core/profile_difference.h"

namespace tare::attribution {

/// Native functions are matched as compare_ledgers matches those of ledgers: by file across builds and name. Python's
/// by name and source file, without the folders in which environments lie. Every function and layer with time is there.
[[nodiscard]] core::ProfileDifference compare_profiles(const core::Profile& before, const core::Profile& after,
                                                       const std::string& side_a, const std::string& side_b);

}  // namespace tare::attribution
