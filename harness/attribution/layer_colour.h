// The colour of a layer, the same in every graph. Pure.
#pragma once

#include <string>
#include <string_view>

namespace tare::attribution {

/// `#rrggbb`, light enough for dark text. CPython is blue, NumPy green to yellow, memory violet, BLAS red to orange,
/// what is unresolved grey; a layer that only a user's rules know has a colour made of its name.
[[nodiscard]] std::string layer_colour(std::string_view layer);

}  // namespace tare::attribution
