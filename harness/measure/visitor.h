// One visit: a worker, a case, and what came of it. Never fails as a whole: what went wrong is in the Visit.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "harness/core/case.h"
#include "harness/core/visit.h"
#include "harness/measure/known_costs.h"
#include "harness/measure/reference_watch.h"
#include "harness/measure/sampled_batches.h"
#include "harness/measure/visit_plan.h"
#include "harness/measure/worker_link.h"

namespace tare::measure {

struct VisitSettings {
    PlanSettings plan;
    int unroll = 0;  ///< copies of the statement in a pass of the python rung's loop; 0: as the worker finds right
    std::vector<core::CounterRequest> counters = {};  ///< what the workers were asked to count
    bool counters_required = false;                   ///< a case that they cannot count fails
    std::chrono::milliseconds time_limit{10'000};     ///< for one request: set-up, or the batches of one placement
    std::optional<SamplingSettings> sampling = {};    ///< more batches, after all others, which it does not touch
    ReferenceWatch* references = nullptr;  ///< where they are taken: compared with, told of, and asked how long to wait
};

struct VisitPlace {
    int round = 0;
    int process = 0;
    int order = 0;
    std::uint64_t seed = 0;
};

/// `known`: what earlier visits learnt, and where this one adds what it learns; or none.
[[nodiscard]] core::Visit visit_case(WorkerLink& worker, const core::Case& selected, const VisitSettings& settings,
                                     const VisitPlace& place, KnownCosts* known = nullptr);

}  // namespace tare::measure
