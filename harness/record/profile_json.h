// A profile as JSON, both ways: what `bench profile --format json` gives and `--against` reads. Names are those of
// core::Profile; beside times stand their shares of the whole (`_ratio`).
#pragma once

#include <string>
#include <string_view>

#include "harness/core/error.h"
#include "harness/core/profile.h"
#include "harness/record/json.h"

namespace tare::record {

[[nodiscard]] Json sampled_time_to_json(const core::SampledTime& time);  ///< {"ns", "samples"}

/// {"kind": "profile", ...}: all of it, the call tree too; a line for each item of a list.
[[nodiscard]] std::string profile_json(const core::Profile& profile);

/// Errors: kData where the text is none of these, or its indices lead nowhere. `name` is the file's, for messages.
[[nodiscard]] core::Expected<core::Profile> profile_from_json(std::string_view text, const std::string& name);

/// Members on a line each, and of members that are lists every item.
[[nodiscard]] std::string json_in_lines(const Json& object);

}  // namespace tare::record
