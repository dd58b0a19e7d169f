// Case profiles as records and journals hold them: functions in a table that they share. 700 cases take 2 MB.
#pragma once

#include <span>
#include <vector>

#include "harness/core/case_profile.h"
#include "harness/record/case_times.h"
#include "harness/record/json.h"

namespace tare::record {

/// What a record holds of a profile: of functions, those of at least half a per cent of the samples.
[[nodiscard]] core::CaseProfile stored_part(core::CaseProfile profile);

struct StoredProfiles {
    Json tables;    ///< {"files", "functions"}
    Json profiles;  ///< an array, one a case; refers to the tables by index
};
/// All of each; with what `times` says of it, if there is as much of them.
[[nodiscard]] StoredProfiles stored_profiles_to_json(std::span<const core::CaseProfile> profiles,
                                                     std::span<const CaseTime> times = {});

/// Errors: kData for a profile that names no case, or an index that leads nowhere. What was computed is not read.
[[nodiscard]] core::Expected<std::vector<core::CaseProfile>> stored_profiles_from_json(const Json& tables,
                                                                                       const Json& profiles);

[[nodiscard]] Json profile_problem_to_json(const core::ProfileProblem& problem);
[[nodiscard]] core::Expected<core::ProfileProblem> profile_problem_from_json(const Json& json);

}  // namespace tare::record
