// The median: the one estimator that measuring itself needs (the floor of a visit); all others are in harness/stats.
#pragma once

#include <algorithm>
#include <cassert>
#include <vector>

namespace tare::core {

/// Mean of the two middle values for an even count. `values` must not be empty.
[[nodiscard]] inline double median(std::vector<double> values) {
    assert(!values.empty());
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1) return *middle;
    return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

}  // namespace tare::core
