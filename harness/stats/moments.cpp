// The two moments.
#include "harness/stats/moments.h"

#include "harness/stats/estimators.h"

namespace tare::stats {

Moments moments_of(std::span<const double> values) {
    const double spread = standard_deviation(values).value_or(0);
    const int count = static_cast<int>(values.size());
    return {mean(values), spread * spread, count - 1.0, count};
}

}  // namespace tare::stats
