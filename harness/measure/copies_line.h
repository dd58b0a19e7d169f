// The line through the times of passes of 2, 4, 8 copies of a statement: its intercept is what a pass costs
// without one. Pure.
#pragma once

#include <optional>
#include <vector>

namespace tare::measure {

struct PassTime {
    int copies = 1;
    double pass_ns = 0;
};

/// The intercept of the least-squares line (ordinary, unweighted), ns. None for fewer than two numbers of copies.
[[nodiscard]] std::optional<double> pass_cost_ns(const std::vector<PassTime>& passes);

}  // namespace tare::measure
