// From facts about a machine to findings and a verdict: is it fit to measure, and what would make it so. Pure.
#pragma once

#include "harness/core/fitness.h"
#include "harness/core/value.h"

namespace tare::pmu {

/// `facts` as fitness_facts() gives them, with those of counting_facts(). A fact that is missing makes its topic
/// unknown.
[[nodiscard]] core::Fitness fitness(const core::Value& facts);

}  // namespace tare::pmu
