// Wilson's formula.
#include "harness/stats/proportion.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>

namespace tare::stats {

Interval share_interval(double share, double samples, double confidence) {
    if (!(samples > 0)) return {0, 1};
    const double p = std::clamp(share, 0.0, 1.0);
    const double z = boost::math::quantile(boost::math::normal(), 0.5 + confidence / 2);
    const double weight = z * z / samples;
    const double center = (p + weight / 2) / (1 + weight);
    const double half = z / (1 + weight) * std::sqrt(p * (1 - p) / samples + weight / (4 * samples));
    return {std::max(center - half, 0.0), std::min(center + half, 1.0)};
}

}  // namespace tare::stats
