// prepare -> batches of all rungs at each placement -> finish.
#include "harness/measure/visitor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>

#include "harness/core/clock.h"
#include "harness/core/median.h"

namespace tare::measure {

using core::Error;
using core::ErrorCode;
using core::Expected;
using core::List;
using core::Map;
using core::Value;

namespace {

constexpr std::size_t kQuotedBytes = 200;

struct Measured {
    std::array<std::vector<core::Sample>, kStepKinds> samples;
    std::array<Value, kStepKinds> facts;
    int unroll = 1;
    CapturedOutput written;  ///< while batches ran
};

std::string first_words(const std::string& text) {
    if (text.size() <= kQuotedBytes) return text;
    return text.substr(0, kQuotedBytes) + fmt::format("... ({} bytes in all)", text.size());
}

void add_output(CapturedOutput& all, const CapturedOutput& more) {
    all.out += more.out;
    all.err += more.err;
}

Value seed_value(std::uint64_t seed) {
    return static_cast<std::int64_t>(seed >> 1);
}  // fits a signed 64-bit integer

Expected<VisitPlan> prepare(WorkerLink& worker, const core::Case& selected, const VisitSettings& settings,
                            std::uint64_t seed, core::Visit& visit, Measured& measured) {
    List rungs;
    for (const core::RungKind kind : selected.rungs) rungs.emplace_back(core::name_of(kind));
    Expected<Value> answer =
        worker.request(Map{{"op", "prepare"}, {"case", visit.case_name}, {"seed", seed_value(seed)}, {"rungs", rungs}},
                       settings.time_limit);
    if (!answer) return tl::unexpected<Error>(answer.error());
    for (const Value& problem : (*answer)["problems"].as_list())
        if (const auto kind = core::rung_named(problem["kind"].as_text()))
            visit.problems.push_back({*kind, problem["reason"].as_text()});
    std::vector<StepCost> costs;
    for (const Value& rung : (*answer)["rungs"].as_list()) {
        const auto kind = step_named(rung["kind"].as_text());
        if (!kind) continue;
        costs.push_back({*kind, rung["estimate_ns"].as_double()});
        measured.facts[static_cast<std::size_t>(*kind)] = rung["facts"];
    }
    measured.unroll = static_cast<int>((*answer)["unroll"].as_int(1));
    return plan_visit(costs, measured.unroll, settings.plan);
}

/// Set-up may print; the statement may not: it would time a pipe.
void note_set_up_output(WorkerLink& worker, core::Visit& visit) {
    const CapturedOutput set_up = worker.take_output();
    if (set_up.err.empty()) return;
    const std::string warning = "set-up wrote to stderr: " + first_words(set_up.err);
    if (std::find(visit.warnings.begin(), visit.warnings.end(), warning) == visit.warnings.end())
        visit.warnings.push_back(warning);
}

core::Status measure_placement(WorkerLink& worker, const VisitSettings& settings, const VisitPlan& plan, int placement,
                               std::uint64_t seed, core::Visit& visit, Measured& measured) {
    if (placement > 0) {  // prepare() made the first one
        Expected<Value> placed = worker.request(Map{{"op", "place"}, {"seed", seed_value(seed)}}, settings.time_limit);
        if (!placed) return tl::unexpected<Error>(placed.error());
        note_set_up_output(worker, visit);
    }
    const std::vector<Step> steps = steps_at(plan, placement);
    List orders;
    for (const Step& step : steps) orders.emplace_back(List{name_of(step.kind), step.n, step.lead_in_n});
    Expected<Value> answer = worker.request(Map{{"op", "measure"}, {"steps", orders}}, settings.time_limit);
    if (!answer) return tl::unexpected<Error>(answer.error());
    const List& samples = (*answer)["samples"].as_list();
    if (samples.size() != steps.size())
        return core::fail(ErrorCode::kData,
                          fmt::format("the worker returned {} samples for {} batches", samples.size(), steps.size()));
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const List& fields = samples[i].as_list();
        if (fields.size() != 3) return core::fail(ErrorCode::kData, "a sample is not [n, wall_ns, cpu_ns]");
        measured.samples[static_cast<std::size_t>(steps[i].kind)].push_back(
            {.n = static_cast<std::uint64_t>(fields[0].as_int()),
             .wall_ns = fields[1].as_double(),
             .cpu_ns = fields[2].as_double()});
    }
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

core::Status measure_all(WorkerLink& worker, const core::Case& selected, const VisitSettings& settings,
                         std::uint64_t seed, core::Visit& visit, Measured& measured) {
    std::mt19937_64 seeds(seed);
    Expected<VisitPlan> plan = prepare(worker, selected, settings, seeds(), visit, measured);
    if (!plan) return tl::unexpected<Error>(plan.error());
    note_set_up_output(worker, visit);
    const std::int64_t started_ns = core::wall_clock_ns();
    for (int placement = 0; placement < plan->placements; ++placement) {
        // The plan does not know what a slow set-up costs.
        const auto spent_ns = static_cast<double>(core::wall_clock_ns() - started_ns);
        if (placement >= settings.plan.min_placements && spent_ns > settings.plan.visit_budget_ns) break;
        const core::Status done = measure_placement(worker, settings, *plan, placement, seeds(), visit, measured);
        add_output(measured.written, worker.take_output());
        if (!done) return done;
    }
    Expected<Value> finished = worker.request(Map{{"op", "finish"}}, settings.time_limit);
    if (!finished) return tl::unexpected<Error>(finished.error());
    add_output(measured.written, worker.take_output());
    const CapturedOutput& written = measured.written;
    if (!written.out.empty())
        return core::fail(ErrorCode::kCaseFailed,
                          "the case wrote to stdout while it was measured: " + first_words(written.out),
                          "what prints is not timed: silence it, or move it to the set-up");
    if (const List& changes = (*finished)["changes"].as_list(); !changes.empty()) {
        std::string text;
        for (const Value& change : changes) text += (text.empty() ? "" : "; ") + change.as_text();
        return core::fail(
            ErrorCode::kCaseFailed, "the case left the interpreter changed: " + text,
            "a statement must leave the process as it found it: restore it inside (with np.errstate(...): ...)");
    }
    return {};
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
    (void)worker.take_output();
    Measured measured;
    if (core::Status s = measure_all(worker, selected, settings, place.seed, visit, measured); !s) {
        visit.error = s.error();
        if (visit.error->code == ErrorCode::kTimeout) visit.error->hint = "raise --time-limit if the case is only slow";
        add_output(measured.written, worker.take_output());
    }
    if (!measured.written.err.empty())
        visit.warnings.push_back("wrote to stderr: " + first_words(measured.written.err));
    collect(measured, visit);
    visit.wall_s = static_cast<double>(core::wall_clock_ns() - started_ns) * 1e-9;
    return visit;
}

}  // namespace tare::measure
