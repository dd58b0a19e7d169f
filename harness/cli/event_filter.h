// Which events a regular expression selects. Pure.
#pragma once

#include <string>
#include <vector>

#include "harness/core/error.h"
#include "harness/core/event_description.h"

namespace tare::cli {

/// The events whose name, description or synonym holds a match of the regular expression (ECMAScript; upper and lower
/// case are alike, as they are for libpfm), and of others the masks that do. All for an empty pattern. Errors:
/// kUsage for what is no regular expression.
[[nodiscard]] core::Expected<std::vector<core::EventDescription>> matching_events(
    const std::vector<core::EventDescription>& events, const std::string& pattern);

}  // namespace tare::cli
