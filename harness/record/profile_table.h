// The text that a person reads of a profile. Pure.
#pragma once

#include <string>

#include "harness/record/profile_text.h"

namespace tare::record {

/// What was sampled and how, then time by layer, BLAS symbols, the heaviest native and Python functions and Python
/// lines, threads where there are several, the quality of stacks and of names, and warnings.
[[nodiscard]] std::string print_profile(const core::Profile& profile, const ProfileTableOptions& options);

}  // namespace tare::record
