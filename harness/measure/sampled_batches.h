// Sampled batches: what a visit runs, after all that it times, to learn where the python rung's time goes. Sampling
// costs time; so half of these batches are not sampled, and by turns with the others they tell how much.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "harness/core/case_profile.h"
#include "harness/measure/case_session.h"

namespace tare::measure {

struct SamplingSettings {
    double rate_hz = 1000;           ///< costs 2 to 5 % on a guest without a PMU; the batches beside measure it
    double time_ns = 200e6;          ///< of sampled batches in a visit, and as much again of the others
    double batch_ns = 10e6;          ///< 10 samples at that rate; starting and stopping the clock is then 0.05 % of it
    std::size_t most_samples = 400;  ///< that may wait to be taken: a longer batch is sampled at a lower rate
    std::function<std::string()> ring;  ///< where the worker at hand finds the memory for samples
    std::function<void()> take;         ///< takes what lies there; after each sampled batch
    std::function<core::Status(const core::SampledVisit&)> done;  ///< an error ends the visit
};

struct SamplingPlan {
    Step step;      ///< of each batch
    int quads = 1;  ///< placements with two batches of each kind; 0: one with a batch of each
    double rate_hz = 0;
    bool operator==(const SamplingPlan&) const = default;
};

/// `python`: the cost of one execution; `unroll`: executions in a pass of its loop.
[[nodiscard]] SamplingPlan plan_sampling(const StepCost& python, int unroll, const SamplingSettings& settings);

/// `visit`: without batches. Each quad has a fresh placement; its order is s u u s or u s s u, so that what drifts
/// linearly cancels. The clock having been refused is no error: the result says it. Errors: those of a batch.
[[nodiscard]] core::Expected<core::SampledVisit> sample_batches(CaseSession& session, core::SampledVisit visit,
                                                                const StepCost& python, int unroll,
                                                                const SamplingSettings& settings, std::uint64_t seed);

}  // namespace tare::measure
