// The loops of fewer copies of a statement that are timed beside the python rung's own.
#pragma once

#include <array>

namespace tare::core {

/// With the rung's own copies they lie on a line whose intercept is what a pass costs without a statement (DESIGN 7).
/// Not one copy: where every branch of the loop follows the same statement, predictors foresee the end of a pass, and
/// it costs as little as that of an empty loop. With 2, 4 and 8 copies of np.dot(x, y) a pass lies 39.8, 32.4 and 32.4
/// ns above that many statements, with one 6.5 ns (2.1 GHz Xeon; the empty loop: 5.0 ns).
inline constexpr std::array kShorterCopies = {2, 4};

}  // namespace tare::core
