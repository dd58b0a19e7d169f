// prepare -> batches of all rungs at each placement -> finish.
#include "harness/measure/visitor.h"

#include <algorithm>
#include <array>
#include <random>

#include "harness/core/clock.h"
#include "harness/core/count_arithmetic.h"
#include "harness/core/median.h"
#include "harness/measure/case_session.h"

namespace tare::measure {

namespace {

struct Measured {
    std::array<std::vector<core::Sample>, kStepKinds> samples;
    std::array<std::vector<core::CountedBatch>, kStepKinds> counted;
    std::array<core::Value, kStepKinds> facts;
    std::vector<std::vector<std::size_t>> passes;
    int unroll = 1;
};

/// Every pass once in `passes` placements running; each block begins one pass later, so that with two passes neither
/// always meets the batches in the same order (steps_at).
std::optional<std::size_t> pass_at(int placement, std::size_t passes) {
    if (passes == 0) return std::nullopt;
    const auto place = static_cast<std::size_t>(placement);
    return (place + place / passes) % passes;
}

core::Expected<VisitPlan> prepare(CaseSession& session, const core::Case& selected, const VisitSettings& settings,
                                  std::uint64_t seed, core::Visit& visit, Measured& measured) {
    core::Expected<PreparedCase> prepared = session.prepare(visit.case_name, selected.rungs, seed, settings.unroll);
    if (!prepared) return tl::unexpected<core::Error>(prepared.error());
    visit.problems = std::move(prepared->problems);
    std::vector<StepCost> costs;
    for (PreparedRung& rung : prepared->rungs) {
        costs.push_back(rung.cost);
        measured.facts[static_cast<std::size_t>(rung.cost.kind)] = std::move(rung.facts);
    }
    measured.unroll = prepared->unroll;
    measured.passes = std::move(prepared->passes);
    for (const std::vector<std::size_t>& pass : measured.passes)
        for (const std::size_t counter : pass)
            if (counter >= settings.counters.size())
                return core::fail(core::ErrorCode::kData, "the worker counts what it was not asked for");
    PlanSettings plan = settings.plan;
    plan.min_placements = std::max(plan.min_placements, static_cast<int>(measured.passes.size()));
    return plan_visit(costs, measured.unroll, plan);
}

core::Status measure_placement(CaseSession& session, const VisitPlan& plan, int placement, std::uint64_t seed,
                               Measured& measured) {
    if (placement > 0)  // prepare() made the first one
        if (core::Status placed = session.place(seed); !placed) return placed;
    const std::vector<Step> steps = steps_at(plan, placement);
    core::Expected<Batches> batches = session.measure(steps, pass_at(placement, measured.passes.size()));
    if (!batches) return tl::unexpected<core::Error>(batches.error());
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const auto kind = static_cast<std::size_t>(steps[i].kind);
        measured.samples[kind].push_back(batches->samples[i]);
        if (!batches->counts.empty())
            measured.counted[kind].push_back({batches->samples[i].n, std::move(batches->counts[i])});
    }
    return {};
}

double floor_ns(const std::vector<core::Sample>& samples) {
    if (samples.empty()) return 0;
    std::vector<double> per_pass_ns;
    for (const core::Sample& sample : samples) per_pass_ns.push_back(sample.wall_ns / static_cast<double>(sample.n));
    return core::median(std::move(per_pass_ns));
}

std::vector<core::RungCount> counts_of(const Measured& measured, core::RungKind kind,
                                       const std::vector<core::CounterRequest>& counters) {
    const bool is_floor = kind == core::RungKind::kFloor;
    const auto& floor = measured.counted[static_cast<std::size_t>(floor_of(kind))];
    return core::rung_counts(measured.counted[static_cast<std::size_t>(step_of(kind))],
                             is_floor ? std::vector<core::CountedBatch>() : floor,
                             kind == core::RungKind::kPython ? measured.unroll : 1, counters, measured.passes);
}

void collect(Measured& measured, const std::vector<core::CounterRequest>& counters, core::Visit& visit) {
    for (const core::RungKind kind : core::kAllRungs) {
        std::vector<core::Sample>& samples = measured.samples[static_cast<std::size_t>(step_of(kind))];
        if (samples.empty()) continue;
        const bool is_floor = kind == core::RungKind::kFloor;
        visit.rungs.push_back(
            {.kind = kind,
             .unroll = kind == core::RungKind::kPython ? measured.unroll : 1,
             .floor_ns = is_floor ? 0 : floor_ns(measured.samples[static_cast<std::size_t>(floor_of(kind))]),
             .samples = samples,
             .facts = measured.facts[static_cast<std::size_t>(step_of(kind))],
             .counts = counts_of(measured, kind, counters)});
    }
}

core::Status measure_all(CaseSession& session, const core::Case& selected, const VisitSettings& settings,
                         core::Visit& visit, Measured& measured) {
    std::mt19937_64 seeds(visit.seed);
    core::Expected<VisitPlan> plan = prepare(session, selected, settings, seeds(), visit, measured);
    if (!plan) return tl::unexpected<core::Error>(plan.error());
    const std::int64_t started_ns = core::wall_clock_ns();
    for (int placement = 0; placement < plan->placements; ++placement) {
        // The plan does not know what a slow set-up costs.
        const auto spent_ns = static_cast<double>(core::wall_clock_ns() - started_ns);
        const auto fewest = std::max(settings.plan.min_placements, static_cast<int>(measured.passes.size()));
        if (placement >= fewest && spent_ns > settings.plan.visit_budget_ns) break;
        if (core::Status done = measure_placement(session, *plan, placement, seeds(), measured); !done) return done;
    }
    return session.finish();
}

}  // namespace

core::Visit visit_case(WorkerLink& worker, const core::Case& selected, const VisitSettings& settings,
                       const VisitPlace& place) {
    core::Visit visit;
    visit.case_name = selected.name();
    visit.round = place.round;
    visit.process = place.process;
    visit.order = place.order;
    visit.seed = place.seed;
    visit.started_s = core::unix_time_s();
    const std::int64_t started_ns = core::wall_clock_ns();
    CaseSession session(worker, settings.time_limit);
    Measured measured;
    if (const core::Status s = measure_all(session, selected, settings, visit, measured); !s) visit.error = s.error();
    visit.warnings = session.take_warnings();
    collect(measured, settings.counters, visit);
    visit.wall_s = static_cast<double>(core::wall_clock_ns() - started_ns) * 1e-9;
    return visit;
}

}  // namespace tare::measure
