// prepare -> batches of all rungs at each placement -> finish.
#include "harness/measure/visitor.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <random>

#include "harness/core/clock.h"
#include "harness/core/count_arithmetic.h"
#include "harness/core/median.h"
#include "harness/measure/case_session.h"
#include "harness/measure/copies_line.h"

namespace tare::measure {

namespace {

/// What a pass of the python rung costs by the line of one placement.
struct PassCost {
    double ns = 0;
    core::References references;  ///< the slowest beside the batches that the line rests on
};

struct Measured {
    std::array<std::vector<core::Sample>, kStepKinds> samples;
    std::array<std::vector<core::CountedBatch>, kStepKinds> counted;
    std::array<core::Value, kStepKinds> facts;
    std::vector<std::vector<std::size_t>> passes;
    StepCost python;                   ///< its estimate
    std::vector<PassCost> pass_costs;  ///< one a line: as many at a placement as the rung has batches there
    int unroll = 1;
    bool timed_alone = false;
    double placements_ns = 0;  ///< what all of them took, without waiting
    double waited_ns = 0;      ///< for quiet moments
    double wait_ns = 0;        ///< how long it may wait
};

/// Draws which pass of the counters is on at each placement: every one once in as many placements, in random order, so
/// that none always meets the batches in the same one (steps_at).
class PassOrder {
  public:
    PassOrder(std::size_t passes, std::uint64_t seed) : order_(passes), random_(seed) {
        std::iota(order_.begin(), order_.end(), std::size_t{0});
    }
    [[nodiscard]] std::optional<std::size_t> at(int placement) {
        if (order_.empty()) return std::nullopt;
        const std::size_t place = static_cast<std::size_t>(placement) % order_.size();
        if (place == 0) std::shuffle(order_.begin(), order_.end(), random_);
        return order_[place];
    }

  private:
    std::vector<std::size_t> order_;
    std::mt19937_64 random_;
};

/// With what earlier visits know, as far as they know all that this one is to measure.
core::Expected<PreparedCase> prepare_case(CaseSession& session, const core::Case& selected,
                                          const VisitSettings& settings, std::uint64_t seed, const KnownCosts& known) {
    const std::string name = selected.name();
    if (known.unroll > 0) {
        core::Expected<PreparedCase> prepared = session.prepare(
            name, selected.rungs, seed, {.unroll = known.unroll, .estimate = false, .line = settings.unroll == 0});
        if (!prepared) return prepared;
        for (PreparedRung& rung : prepared->rungs)
            rung.cost.estimate_ns = known.execution_ns[static_cast<std::size_t>(rung.cost.kind)];
        if (std::ranges::all_of(prepared->rungs, [](const auto& rung) { return rung.cost.estimate_ns > 0; }))
            return prepared;
    }
    return session.prepare(name, selected.rungs, seed, {.unroll = settings.unroll, .line = settings.unroll == 0});
}

/// No costs of statements that are timed alone: what is done before each execution is in none of their times. Nor of
/// those that take so long that they have one copy: a visit that was held up would decide it for all.
void learn(const Measured& measured, const VisitSettings& settings, KnownCosts& known) {
    ++known.visits;
    if (measured.placements_ns > settings.plan.visit_budget_ns) ++known.over_budget;
    if (measured.timed_alone || measured.unroll <= 1) return;
    known.unroll = measured.unroll;
    for (std::size_t kind = 0; kind < kStepKinds; ++kind) {
        std::vector<double> executions_ns;
        for (const core::Sample& sample : measured.samples[kind])
            executions_ns.push_back(sample.wall_ns / static_cast<double>(sample.n));
        if (executions_ns.empty()) continue;
        const double median_ns = core::median(std::move(executions_ns));
        double& known_ns = known.execution_ns[kind];
        known_ns = known_ns > 0 ? std::min(known_ns, median_ns) : median_ns;
    }
}

core::Expected<VisitPlan> prepare(CaseSession& session, const core::Case& selected, const VisitSettings& settings,
                                  std::uint64_t seed, const KnownCosts& known, core::Visit& visit, Measured& measured) {
    core::Expected<PreparedCase> prepared = prepare_case(session, selected, settings, seed, known);
    if (!prepared) return tl::unexpected<core::Error>(prepared.error());
    visit.problems = std::move(prepared->problems);
    if (prepared->timed_alone && !settings.counters.empty()) {
        constexpr const char* kNotCounted = "not counted: counters would count what runs before each execution, too";
        if (settings.counters_required)
            return core::fail(core::ErrorCode::kCaseFailed, kNotCounted,
                              "leave out --require-counters, or prepare it in --setup");
        visit.warnings.emplace_back(kNotCounted);
    }
    if (prepared->timed_alone && settings.unroll > 1)
        visit.warnings.emplace_back("one copy, whatever was asked for: each execution has a set-up before it");
    std::vector<StepCost> costs;
    for (PreparedRung& rung : prepared->rungs) {
        costs.push_back(rung.cost);
        if (rung.cost.kind == StepKind::kPython) measured.python = rung.cost;
        measured.facts[static_cast<std::size_t>(rung.cost.kind)] = std::move(rung.facts);
    }
    measured.unroll = prepared->unroll;
    measured.timed_alone = prepared->timed_alone;
    measured.passes = std::move(prepared->passes);
    for (const std::vector<std::size_t>& pass : measured.passes)
        for (const std::size_t counter : pass)
            if (counter >= settings.counters.size())
                return core::fail(core::ErrorCode::kData, "the worker counts what it was not asked for");
    PlanSettings plan = settings.plan;
    plan.min_placements = std::max(plan.min_placements, static_cast<int>(measured.passes.size()));
    // What reading counters costs is in each batch, and what warms it would be counted. Of executions that are timed by
    // themselves the first of a batch finds cold what the others do not.
    if (!measured.passes.empty() || measured.timed_alone) {
        plan.batch_ns = plan.rung_ns;
        plan.longest_warm_pass_ns = 0;
    }
    return plan_visit(costs, measured.unroll, plan);
}

/// The lines of one placement, each of one batch of every loop, because whatever sways their clock sways all points of
/// it.
std::vector<PassCost> own_pass_costs(const std::vector<Step>& steps, const std::vector<core::Sample>& samples,
                                     int unroll) {
    struct Line {
        std::vector<PassTime> passes;
        core::References references;
    };
    std::vector<Line> lines;
    std::array<std::size_t, kStepKinds> batches{};
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (steps[i].kind != StepKind::kPython && !is_shorter(steps[i].kind)) continue;
        const std::size_t batch = batches[static_cast<std::size_t>(steps[i].kind)]++;
        if (batch == lines.size()) lines.emplace_back();
        const int copies = copies_in(steps[i].kind, unroll);
        lines[batch].passes.push_back({copies, samples[i].wall_ns / static_cast<double>(samples[i].n) * copies});
        lines[batch].references = slower_of(lines[batch].references, samples[i].references);
    }
    std::vector<PassCost> costs;
    for (const Line& line : lines)
        if (const auto cost_ns = line.passes.size() > kShorterSteps.size() ? pass_cost_ns(line.passes) : std::nullopt)
            costs.push_back({*cost_ns, line.references});
    return costs;
}

constexpr double kMostOfTimeLimit = 0.25;  // of a request: the batches need the rest

/// What is left of the visit's waiting, in equal parts for the placements to come.
std::optional<QuietOrder> quiet_order(const VisitSettings& settings, const Measured& measured, int placements_left) {
    if (settings.references == nullptr) return std::nullopt;
    const double most_ns = kMostOfTimeLimit * std::chrono::duration<double, std::nano>(settings.time_limit).count();
    const double share_ns = (measured.wait_ns - measured.waited_ns) / std::max(placements_left, 1);
    return QuietOrder{.l1_limit_cycles = (1 + core::kQuietLimit) * settings.references->best().l1_cycles,
                      .patience_ns = std::clamp(share_ns, 0.0, most_ns)};
}

core::Status measure_placement(CaseSession& session, const VisitPlan& plan, int placement, std::uint64_t seed,
                               std::optional<std::size_t> pass, const VisitSettings& settings, Measured& measured) {
    if (placement > 0)  // prepare() made the first one
        if (core::Status placed = session.place(seed); !placed) return placed;
    const std::vector<Step> steps = steps_at(plan, placement);
    core::Expected<Batches> batches =
        session.measure(steps, pass, quiet_order(settings, measured, plan.placements - placement));
    if (!batches) return tl::unexpected<core::Error>(batches.error());
    measured.waited_ns += batches->waited_ns;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const auto kind = static_cast<std::size_t>(steps[i].kind);
        measured.samples[kind].push_back(batches->samples[i]);
        if (settings.references != nullptr) settings.references->take(batches->samples[i].references);
        if (!batches->counts.empty())
            measured.counted[kind].push_back({batches->samples[i].n, std::move(batches->counts[i])});
    }
    std::ranges::move(own_pass_costs(steps, batches->samples, measured.unroll),
                      std::back_inserter(measured.pass_costs));
    return {};
}

/// One batch that was interrupted moves an intercept by more than the statement takes; fewer lines than this are no
/// match for one of them. A visit of fewer has the empty loop's time.
constexpr std::size_t kFewestLines = 4;
constexpr std::size_t kFewestQuiet = 3;  // as many quiet batches as a rung needs to say something

/// The median of a value of each over quiet moments, or over all where those are too few.
template <class Timed, class ValueOf>
double quiet_median(const std::vector<Timed>& timed, const core::References& best, ValueOf value_of) {
    std::vector<double> all, quiet;
    for (const Timed& each : timed) {
        all.push_back(value_of(each));
        if (is_quiet(each.references, best)) quiet.push_back(all.back());
    }
    return core::median(quiet.size() >= kFewestQuiet ? std::move(quiet) : std::move(all));
}

/// What a pass of the rung's loop costs without the rung. Where lines are so far off that it would be less than
/// nothing, as beside a neighbour, the empty loop says more.
double floor_ns(const Measured& measured, core::RungKind kind, const core::References& best) {
    if (kind == core::RungKind::kFloor) return 0;
    if (kind == core::RungKind::kPython && measured.pass_costs.size() >= kFewestLines) {
        const double of_lines = quiet_median(measured.pass_costs, best, [](const PassCost& cost) { return cost.ns; });
        if (of_lines >= 0) return of_lines;
    }
    const std::vector<core::Sample>& empty = measured.samples[static_cast<std::size_t>(floor_of(kind))];
    if (empty.empty()) return 0;
    return quiet_median(empty, best,
                        [](const core::Sample& sample) { return sample.wall_ns / static_cast<double>(sample.n); });
}

core::References best_known(const VisitSettings& settings) {
    return settings.references == nullptr ? core::References{} : settings.references->best();
}

std::vector<core::RungCount> counts_of(const Measured& measured, core::RungKind kind,
                                       const std::vector<core::CounterRequest>& counters) {
    const bool is_floor = kind == core::RungKind::kFloor;
    const auto& floor = measured.counted[static_cast<std::size_t>(floor_of(kind))];
    return core::rung_counts(measured.counted[static_cast<std::size_t>(step_of(kind))],
                             is_floor ? std::vector<core::CountedBatch>() : floor,
                             kind == core::RungKind::kPython ? measured.unroll : 1, counters, measured.passes);
}

/// Beside the batches that the statement's time is of: the quiet ones, or all where those are too few.
double clock_of_batches_ghz(const Measured& measured, const core::References& best) {
    const std::vector<core::Sample>& batches = measured.samples[static_cast<std::size_t>(StepKind::kPython)];
    if (batches.empty()) return 0;
    return quiet_median(batches, best, [](const core::Sample& sample) { return sample.references.clock_ghz; });
}

void collect(Measured& measured, const VisitSettings& settings, core::Visit& visit) {
    const core::References best = best_known(settings);
    visit.clock_ghz = clock_of_batches_ghz(measured, best);
    for (const core::RungKind kind : core::kAllRungs) {
        std::vector<core::Sample>& samples = measured.samples[static_cast<std::size_t>(step_of(kind))];
        if (samples.empty()) continue;
        visit.rungs.push_back({.kind = kind,
                               .unroll = kind == core::RungKind::kPython ? measured.unroll : 1,
                               .floor_ns = floor_ns(measured, kind, best),
                               .samples = samples,
                               .facts = measured.facts[static_cast<std::size_t>(step_of(kind))],
                               .counts = counts_of(measured, kind, settings.counters)});
    }
}

core::Status sample_time(CaseSession& session, const VisitSettings& settings, const Measured& measured,
                         const core::Visit& visit) {
    core::SampledVisit blank;
    blank.case_name = visit.case_name;
    blank.round = visit.round;
    blank.process = visit.process;
    blank.loop_ns = floor_ns(measured, core::RungKind::kPython, best_known(settings)) / measured.unroll;
    const core::Expected<core::SampledVisit> sampled =
        sample_batches(session, std::move(blank), measured.python, measured.unroll, *settings.sampling, visit.seed);
    if (!sampled) return tl::unexpected<core::Error>(sampled.error());
    return settings.sampling->done(*sampled);
}

core::Status measure_all(CaseSession& session, const core::Case& selected, const VisitSettings& settings,
                         const KnownCosts& known, core::Visit& visit, Measured& measured) {
    std::mt19937_64 seeds(visit.seed);
    core::Expected<VisitPlan> plan = prepare(session, selected, settings, seeds(), known, visit, measured);
    if (!plan) return tl::unexpected<core::Error>(plan.error());
    plan->turn = seeds() % std::max<std::size_t>(plan->rungs.size(), 1);
    PassOrder passes(measured.passes.size(), visit.seed);
    const std::int64_t started_ns = core::wall_clock_ns();
    int placements = 0;
    for (int placement = 0; placement < plan->placements; ++placement) {
        // The plan does not know what a slow set-up costs.
        const auto spent_ns = static_cast<double>(core::wall_clock_ns() - started_ns) - measured.waited_ns;
        const auto fewest = std::max(settings.plan.min_placements, static_cast<int>(measured.passes.size()));
        if (placement >= fewest && spent_ns > settings.plan.visit_budget_ns) break;
        const core::Status done =
            measure_placement(session, *plan, placement, seeds(), passes.at(placement), settings, measured);
        if (!done) return done;
        ++placements;
    }
    measured.placements_ns = static_cast<double>(core::wall_clock_ns() - started_ns) - measured.waited_ns;
    if (settings.sampling)
        if (core::Status s = sample_time(session, settings, measured, visit); !s) return s;
    if (known.visits == 0 && measured.placements_ns < kMostToRepeatNs * placements)
        if (core::Status s = session.note_repeats(selected.name()); !s) return s;
    return session.finish();
}

}  // namespace

core::Visit visit_case(WorkerLink& worker, const core::Case& selected, const VisitSettings& settings,
                       const VisitPlace& place, KnownCosts* known) {
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
    if (settings.references != nullptr) measured.wait_ns = settings.references->wait_ns();
    const KnownCosts before = known == nullptr ? KnownCosts() : *known;
    if (const core::Status s = measure_all(session, selected, settings, before, visit, measured); !s)
        visit.error = s.error();
    else if (known != nullptr)
        learn(measured, settings, *known);
    for (std::string& warning : session.take_warnings()) visit.warnings.push_back(std::move(warning));
    collect(measured, settings, visit);
    const auto wall_ns = static_cast<double>(core::wall_clock_ns() - started_ns);
    visit.wall_s = wall_ns * 1e-9;
    if (settings.references != nullptr) {
        settings.references->waited(measured.waited_ns);
        settings.references->measured(wall_ns - measured.waited_ns);
    }
    return visit;
}

}  // namespace tare::measure
