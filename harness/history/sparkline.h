// A series as a line of block characters, oldest to newest. Pure.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace tare::history {

/// In at most `columns` characters; neighbouring values share one where there are more. On a logarithmic scale where
/// all values are positive. The scale spans at least 10 %, so that noise looks like noise.
[[nodiscard]] std::string sparkline(std::span<const double> values, std::size_t columns);

}  // namespace tare::history
