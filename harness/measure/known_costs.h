// Known costs: what a case took in earlier visits of a run, so that later ones need not find it out.
#pragma once

#include <array>

#include "harness/measure/step_kind.h"

namespace tare::measure {

struct KnownCosts {
    int visits = 0;                                 ///< that did not fail
    int unroll = 0;                                 ///< copies of the statement; 0: nothing is known
    std::array<double, kStepKinds> execution_ns{};  ///< the least median of a visit; 0: unknown
    int over_budget = 0;                            ///< visits whose placements took longer than they may
};

}  // namespace tare::measure
