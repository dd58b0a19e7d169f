// How far one text is from another: what proposes names for a typing error. Pure. Any thread.
#pragma once

#include <cstddef>
#include <string_view>

namespace tare::core {

/// How many insertions, deletions, substitutions and swaps of neighbours lead from one text to the other, no part of
/// it edited twice (optimal string alignment, after Damerau 1964). With `anywhere`, to the nearest part of `text`.
[[nodiscard]] std::size_t edit_distance(std::string_view pattern, std::string_view text, bool anywhere = false);

}  // namespace tare::core
