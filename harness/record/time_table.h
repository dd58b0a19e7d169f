// Sampled time beside the instructions, as a person and as other programs read it. Pure.
#pragma once

#include <span>
#include <string>

#include "harness/core/case_profile.h"
#include "harness/record/case_times.h"
#include "harness/record/number_text.h"

namespace tare::record {

/// How the samples were taken and what that cost; then a section a case with its layers and heaviest functions, or,
/// of many cases, a line each. `times` are those of `profiles`. Empty where there are none; else begins with an empty
/// line.
[[nodiscard]] std::string print_case_times(std::span<const core::CaseProfile> profiles, std::span<const CaseTime> times,
                                           std::size_t width, const TextStyle& style);
/// "\n2 cases could not be sampled" and why; empty if all could.
[[nodiscard]] std::string profile_problems_text(std::span<const core::ProfileProblem> problems);

/// A table of all cases and their layers.
[[nodiscard]] std::string case_times_markdown(std::span<const CaseTime> times, const TextStyle& style);

/// Behind the columns of a case: samples, the cost of sampling, and of each layer that any case has
/// `<layer>_time_share_ratio` with its low and high, and `<layer>_time_ns`. Empty where there are no times.
[[nodiscard]] std::string case_times_csv_titles(std::span<const CaseTime> times);
[[nodiscard]] std::string case_times_csv_fields(std::span<const CaseTime> times, const std::string& case_name);

}  // namespace tare::record
