// Settings for tests that count batches: without a budget of time, no stall of the machine that runs the test ends a
// visit early.
#pragma once

#include "harness/measure/pair_plan.h"
#include "harness/measure/visitor.h"

namespace tare::measure {

inline constexpr double kNoBudgetNs = 1e18;

[[nodiscard]] inline VisitSettings unhurried() {
    VisitSettings settings;
    settings.plan.visit_budget_ns = kNoBudgetNs;
    return settings;
}

[[nodiscard]] inline PairSettings unhurried_pair() {
    PairSettings settings;
    settings.visit_budget_ns = kNoBudgetNs;
    return settings;
}

}  // namespace tare::measure
