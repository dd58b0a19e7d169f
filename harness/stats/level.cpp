// The two moments.
#include "harness/stats/level.h"

#include "harness/stats/estimators.h"

namespace tare::stats {

Level level_of(std::span<const double> values) {
    const double spread = standard_deviation(values).value_or(0);
    const auto count = static_cast<double>(values.size());
    return {mean(values), spread * spread, count - 1, count};
}

}  // namespace tare::stats
