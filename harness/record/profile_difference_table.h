// A difference of two profiles as text, Markdown, CSV and JSON. Pure.
#pragma once

#include <string>

#include "harness/core/profile_difference.h"
#include "harness/record/profile_text.h"

namespace tare::record {

/// The totals, then layers and functions, those that sampling tells apart first; the others say "not told apart".
[[nodiscard]] std::string print_profile_difference(const core::ProfileDifference& difference,
                                                   const ProfileTableOptions& options);

[[nodiscard]] std::string profile_difference_markdown(const core::ProfileDifference& difference,
                                                      const ProfileTableOptions& options);

/// RFC 4180. A line for the total and for each layer and function: kind, name, place, and of either side, named as in
/// `sides`, ns, samples and ratio; then change_ns, error_ns (standard error), change_ratio, error_ratio, told_apart.
[[nodiscard]] std::string profile_difference_csv(const core::ProfileDifference& difference);

/// {"kind": "profile difference", ...}: all of it under its members' names.
[[nodiscard]] std::string profile_difference_json(const core::ProfileDifference& difference);

}  // namespace tare::record
