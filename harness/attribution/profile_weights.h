// Weights of samples that a PMU's event took: counts, which become nanoseconds here. Pure.
#pragma once

#include "harness/core/profile.h"

namespace tare::attribution {

/// Scales all times so that the total is `cpu_ns`: each sample stands for its share of the sampled threads' CPU time.
/// What a PMU counts (cycles) is proportional to time only where the clock does not change; the scale is that of the
/// whole run. Does nothing where there is no time.
void weigh_as(core::Profile& profile, double cpu_ns);

}  // namespace tare::attribution
