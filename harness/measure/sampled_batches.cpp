// The plan, and its batches.
#include "harness/measure/sampled_batches.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "harness/core/clock.h"

namespace tare::measure {

using core::Expected;
using core::SampledVisit;

namespace {

/// Set-ups included: where they are slow, a visit has fewer placements.
constexpr double kMostTimeRatio = 10;

tl::unexpected<core::Error> passed_on(const core::Error& error) {
    return tl::unexpected<core::Error>(error);
}

/// Whether the clock cannot be had here, or the worker is of no more use.
bool is_refusal(const core::Error& error) {
    return error.code == core::ErrorCode::kEnvironment || error.code == core::ErrorCode::kUsage;
}

core::Status run_batch(CaseSession& session, const Step& step, bool sampled, const SamplingSettings& settings,
                       SampledVisit& visit) {
    if (sampled) {
        const Expected<core::Sample> sample = session.measure_sampled(step);
        if (!sample) return passed_on(sample.error());
        settings.take();
        visit.sampled.push_back(*sample);
        return {};
    }
    const Expected<Batches> batch = session.measure({step});
    if (!batch) return passed_on(batch.error());
    visit.beside.push_back(batch->samples.front());
    return {};
}

}  // namespace

SamplingPlan plan_sampling(const StepCost& python, int unroll, const SamplingSettings& settings) {
    const auto unit = static_cast<std::uint64_t>(std::max(unroll, 1));
    const double cost_ns = std::max(python.estimate_ns, 0.1);
    const std::uint64_t n = whole_units(settings.batch_ns / cost_ns, unit);
    const double batch_ns = static_cast<double>(n) * cost_ns;
    SamplingPlan plan;
    plan.step = {StepKind::kPython, n, lead_in_of(python, n, unit, PlanSettings{})};
    plan.quads = static_cast<int>(std::round(settings.time_ns / (2 * batch_ns)));
    plan.rate_hz = std::min(settings.rate_hz, static_cast<double>(settings.most_samples) / batch_ns * 1e9);
    return plan;
}

Expected<SampledVisit> sample_batches(CaseSession& session, SampledVisit visit, const StepCost& python, int unroll,
                                      const SamplingSettings& settings, std::uint64_t seed) {
    const SamplingPlan plan = plan_sampling(python, unroll, settings);
    visit.rate_hz = plan.rate_hz;
    const Expected<core::SamplingWay> way = session.begin_sampling(settings.ring(), plan.rate_hz);
    if (!way && !is_refusal(way.error())) return passed_on(way.error());
    if (!way) {
        visit.error = way.error();
        return visit;
    }
    visit.way = *way;
    std::mt19937_64 seeds(~seed);  // not those of the timed placements
    const std::int64_t started_ns = core::wall_clock_ns();
    for (int quad = 0; quad < std::max(plan.quads, 1); ++quad) {
        const auto spent_ns = static_cast<double>(core::wall_clock_ns() - started_ns);
        if (quad > 0 && spent_ns > kMostTimeRatio * settings.time_ns) break;
        if (core::Status s = session.place(seeds()); !s) return passed_on(s.error());
        const bool sampled_first = (seeds() & 1) != 0;
        for (const bool is_first : {true, false, false, true}) {
            if (core::Status s = run_batch(session, plan.step, is_first == sampled_first, settings, visit); !s)
                return passed_on(s.error());
            if (plan.quads == 0 && !visit.sampled.empty() && !visit.beside.empty()) break;
        }
    }
    if (core::Status s = session.end_sampling(); !s) return passed_on(s.error());
    return visit;
}

}  // namespace tare::measure
