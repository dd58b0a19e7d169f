// The loops of fewer copies of a statement that are timed beside the python rung's own.
#pragma once

#include <array>

namespace tare::core {

/// With the rung's own copies they lie on a line whose intercept is what a pass costs without a statement (DESIGN 7).
inline constexpr std::array kShorterCopies = {1, 2, 4};

}  // namespace tare::core
