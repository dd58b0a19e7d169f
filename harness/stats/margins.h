// The two margins of a comparison, as relative changes (0.02: 2 %): up to the tolerance a change is nobody's concern,
// from the bound on it must not be missed. Between them either answer is right, which is why a decision always comes.
#pragma once

#include <string_view>

#include "harness/core/error.h"

namespace tare::stats {

struct Margins {
    double tolerance_relative = 0.005;
    double bound_relative = 0.02;

    /// On the scale of ln(b/a), where slower by 2 % and faster by 2 % are +0.0198 and -0.0198: exact mirror images.
    [[nodiscard]] double log_tolerance() const;
    [[nodiscard]] double log_bound() const;
    bool operator==(const Margins&) const = default;
};

/// kUsage unless 0 <= tolerance < bound <= 1.
[[nodiscard]] core::Expected<Margins> make_margins(double tolerance_relative, double bound_relative);

/// "default" 0.5 % and 2 %, "noisy" 1 % and 3 %, "coarse" 2 % and 5 %; kUsage for another name.
[[nodiscard]] core::Expected<Margins> named_margins(std::string_view name);

}  // namespace tare::stats
