// Checks of the margins and their named profiles.
#include "harness/stats/margins.h"

#include <fmt/format.h>

#include <cmath>

namespace tare::stats {

double Margins::log_tolerance() const {
    return std::log1p(tolerance_relative);
}

double Margins::log_bound() const {
    return std::log1p(bound_relative);
}

core::Expected<Margins> make_margins(double tolerance_relative, double bound_relative) {
    if (!(tolerance_relative >= 0 && tolerance_relative < bound_relative && bound_relative <= 1))
        return core::fail(core::ErrorCode::kUsage,
                          fmt::format("a tolerance of {:g} % and a bound of {:g} % make no margins",
                                      100 * tolerance_relative, 100 * bound_relative),
                          "choose 0 <= tolerance < bound <= 100 %, such as 0.5 % and 2 %");
    return Margins{tolerance_relative, bound_relative};
}

core::Expected<Margins> named_margins(std::string_view name) {
    if (name == "default") return Margins{};
    if (name == "noisy") return Margins{0.01, 0.03};
    if (name == "coarse") return Margins{0.02, 0.05};
    return core::fail(core::ErrorCode::kUsage, fmt::format("unknown margins '{}'", name),
                      "choose default (0.5 % and 2 %), noisy (1 % and 3 %) or coarse (2 % and 5 %)");
}

}  // namespace tare::stats
