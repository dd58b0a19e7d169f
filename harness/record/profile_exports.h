// A profile as Markdown and CSV. Pure.
#pragma once

#include <string>

#include "harness/record/profile_text.h"

namespace tare::record {

/// What the table shows, in GitHub's Markdown.
[[nodiscard]] std::string profile_markdown(const core::Profile& profile, const ProfileTableOptions& options);

/// RFC 4180. A line for the total, and for each layer, function, line, thread and module: kind, name, place (a
/// function's file or `a.py:12`; a thread's process), self_ns, self_samples, self_ratio, error_ratio (half of the 95 %
/// interval, from sampling alone), inclusive_ns, inclusive_samples, inclusive_ratio. What a kind has not is empty.
[[nodiscard]] std::string profile_csv(const core::Profile& profile);

}  // namespace tare::record
