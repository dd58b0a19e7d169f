// Counts passes and keeps the fastest.
#include "harness/measure/warm_up.h"

#include <algorithm>

namespace tare::measure {

bool WarmUp::passed(std::int64_t took_ns, std::int64_t until_now_ns) {
    if (++passes_ == 1) first_ns_ = took_ns;
    fastest_ns_ = std::min(fastest_ns_, took_ns);
    const bool warm = fastest_ns_ > kSlowPassNs || (passes_ >= kFewestPasses && passes_ * fastest_ns_ > kLimitNs);
    const bool long_enough = fewest_alone_ > 0 && passes_ >= fewest_alone_ && until_now_ns > kLongNs;
    return warm || long_enough || passes_ == kMostPasses;
}

}  // namespace tare::measure
