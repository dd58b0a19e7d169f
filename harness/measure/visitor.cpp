// prepare -> batches of all rungs at each placement -> finish.
#include "harness/measure/visitor.h"

#include <array>
#include <random>

#include "harness/core/clock.h"
#include "harness/core/median.h"
#include "harness/measure/case_session.h"

namespace tare::measure {

namespace {

struct Measured {
    std::array<std::vector<core::Sample>, kStepKinds> samples;
    std::array<core::Value, kStepKinds> facts;
    int unroll = 1;
};

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
    return plan_visit(costs, measured.unroll, settings.plan);
}

core::Status measure_placement(CaseSession& session, const VisitPlan& plan, int placement, std::uint64_t seed,
                               Measured& measured) {
    if (placement > 0)  // prepare() made the first one
        if (core::Status placed = session.place(seed); !placed) return placed;
    const std::vector<Step> steps = steps_at(plan, placement);
    const core::Expected<std::vector<core::Sample>> samples = session.measure(steps);
    if (!samples) return tl::unexpected<core::Error>(samples.error());
    for (std::size_t i = 0; i < steps.size(); ++i)
        measured.samples[static_cast<std::size_t>(steps[i].kind)].push_back((*samples)[i]);
    return {};
}

double floor_ns(const std::vector<core::Sample>& samples) {
    if (samples.empty()) return 0;
    std::vector<double> per_pass_ns;
    for (const core::Sample& sample : samples) per_pass_ns.push_back(sample.wall_ns / static_cast<double>(sample.n));
    return core::median(std::move(per_pass_ns));
}

void collect(Measured& measured, core::Visit& visit) {
    for (const core::RungKind kind : core::kAllRungs) {
        std::vector<core::Sample>& samples = measured.samples[static_cast<std::size_t>(step_of(kind))];
        if (samples.empty()) continue;
        const bool is_floor = kind == core::RungKind::kFloor;
        visit.rungs.push_back(
            {.kind = kind,
             .unroll = kind == core::RungKind::kPython ? measured.unroll : 1,
             .floor_ns = is_floor ? 0 : floor_ns(measured.samples[static_cast<std::size_t>(floor_of(kind))]),
             .samples = samples,
             .facts = measured.facts[static_cast<std::size_t>(step_of(kind))]});
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
        if (placement >= settings.plan.min_placements && spent_ns > settings.plan.visit_budget_ns) break;
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
    collect(measured, visit);
    visit.wall_s = static_cast<double>(core::wall_clock_ns() - started_ns) * 1e-9;
    return visit;
}

}  // namespace tare::measure
