// Preparing and measuring one case.
#include "harness/worker/case_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>

#include "benchmarks/native/native.h"
#include "harness/core/clock.h"
#include "harness/measure/batch.h"
#include "harness/measure/cost_estimate.h"
#include "harness/measure/reference_kernels.h"
#include "harness/measure/warm_up.h"

namespace tare::worker {

using core::Expected;
using core::List;
using core::Map;
using core::RungKind;
using core::Status;
using core::Value;

namespace {

constexpr int kUnroll = 8;  // 4 to 8 copies steady the loop, more cost some statements 2 to 9 % (harness/README.md)
constexpr double kLongStatementNs =
    20'000;  // above, the loop's own 10 ns are noise, and eight copies make a batch too long
constexpr std::int64_t kShortestSliceNs = 500'000;  // that a scheduler gives to others
constexpr std::size_t kStackSpanBytes = 4096;       // one page: the offset within it decides the aliasing

tl::unexpected<core::Error> passed_on(const core::Error& error) {
    return tl::unexpected<core::Error>(error);
}

/// The statement's own errors are the case's; of another rung it has to be said.
core::Error said_of(StepKind step, core::Error error) {
    if (step != StepKind::kPython && !measure::is_shorter(step))
        error.what = fmt::format("the {} rung: {}", measure::name_of(step), error.what);
    return error;
}

}  // namespace

bool CaseRunner::wanted(RungKind kind) const {
    return std::find(wanted_.begin(), wanted_.end(), kind) != wanted_.end() &&
           std::find(given_up_.begin(), given_up_.end(), kind) == given_up_.end();
}

std::vector<RungKind> CaseRunner::wanted_rungs() const {
    std::vector<RungKind> rungs;
    std::copy_if(wanted_.begin(), wanted_.end(), std::back_inserter(rungs),
                 [&](RungKind kind) { return wanted(kind); });
    return rungs;
}

void CaseRunner::problem(RungKind kind, std::string reason) {
    problems_.emplace_back(Map{{"kind", core::name_of(kind)}, {"reason", std::move(reason)}});
    given_up_.push_back(kind);
    rung(measure::step_of(kind)).reset();
}

Status CaseRunner::add_native(StepKind kind, const std::optional<core::NativeRequest>& request,
                              const std::string& reason) {
    const RungKind rung_kind = kind == StepKind::kNative ? RungKind::kNative : RungKind::kCpp;
    rung(kind).reset();
    if (!wanted(rung_kind)) return {};
    if (!request) {
        if (!reason.empty()) problem(rung_kind, reason);
        return {};
    }
    Expected<core::NativeRung> made = benchmarks::make_native(*request);
    if (!made) {
        problem(rung_kind, made.error().what);
        return {};
    }
    Map facts{{"routine", made->routine},
              {"symbol", made->symbol},
              {"library", made->library},
              {"address", made->address},
              {"check", made->check}};
    rung(kind) =
        Rung{.entry = made->entry, .state = std::move(made->state), .estimate_ns = 0, .facts = std::move(facts)};
    if (!rung(StepKind::kFloorNative)) {
        core::NativeRung floor = benchmarks::make_native_floor();
        rung(StepKind::kFloorNative) =
            Rung{.entry = floor.entry, .state = std::move(floor.state), .estimate_ns = 0, .facts = {}};
    }
    return {};
}

Status CaseRunner::place(std::uint64_t seed, int unroll) {
    Expected<python::Prepared> prepared = session_.prepare(case_name_, seed, unroll, wanted_rungs(), line_);
    if (!prepared) return passed_on(prepared.error());
    unroll_ = prepared->unroll;
    stack_offset_bytes_ = (seed >> 7) % kStackSpanBytes & ~std::size_t{15};
    const auto set = [&](StepKind kind, const core::BatchEntry& entry) {
        rung(kind) = Rung{.entry = entry, .state = nullptr, .estimate_ns = 0, .facts = {}};
    };
    set(StepKind::kPython, prepared->python);
    for (std::size_t i = 0; i < measure::kShorterSteps.size(); ++i) {
        rung(measure::kShorterSteps[i]).reset();
        if (prepared->shorter[i]) set(measure::kShorterSteps[i], *prepared->shorter[i]);
    }
    rung(StepKind::kFloor).reset();
    if (prepared->floor) set(StepKind::kFloor, *prepared->floor);
    rung(StepKind::kCall).reset();
    rung(StepKind::kFloorCall).reset();
    if (wanted(RungKind::kCall)) {
        if (prepared->call) {
            set(StepKind::kCall, *prepared->call);
            set(StepKind::kFloorCall, *prepared->call_floor);
        } else {
            problem(RungKind::kCall, prepared->call_problem);
        }
    }
    if (Status s = add_native(StepKind::kNative, prepared->native, prepared->native_problem); !s) return s;
    if (Status s = add_native(StepKind::kCpp, prepared->cpp, prepared->cpp_problem); !s) return s;
    return warm_up();
}

Status CaseRunner::run_once(const Rung& rung, std::uint64_t n) {
    rung.entry.arm(rung.entry.context, n);
    if (!rung.entry.run(rung.entry.context)) return passed_on(session_.batch_error());
    return {};
}

/// What one pass takes: of a statement that is timed alone its executions. `own_only`: without what others did in its
/// place, which takes system calls.
Expected<std::int64_t> CaseRunner::time_pass(const Rung& rung, std::uint64_t n, bool own_only) {
    const measure::Switches before = own_only ? measure::switches_now() : measure::Switches();
    const std::int64_t cpu_started_ns = own_only ? core::thread_cpu_ns() : 0;
    const std::int64_t started_ns = core::wall_clock_ns();
    if (Status s = run_once(rung, n); !s) return passed_on(s.error());
    std::int64_t wall_ns = core::wall_clock_ns() - started_ns;
    std::int64_t cpu_ns = own_only ? core::thread_cpu_ns() - cpu_started_ns : wall_ns;
    if (rung.entry.own_times != nullptr) rung.entry.own_times(rung.entry.context, wall_ns, cpu_ns);
    return own_only && measure::was_preempted(before, measure::switches_now()) ? std::min(wall_ns, cpu_ns) : wall_ns;
}

Status CaseRunner::warm_up() {
    for (std::size_t i = 0; i < measure::kStepKinds; ++i) {
        const std::optional<Rung>& rung = rungs_[i];
        if (!rung) continue;
        const auto unit = static_cast<std::uint64_t>(measure::copies_in(static_cast<StepKind>(i), unroll_));
        const std::int64_t started_ns = core::wall_clock_ns();
        // What is done before each execution is done for the empty loop, too.
        measure::WarmUp warm_up(rung->entry.own_times == nullptr                ? 0
                                : static_cast<StepKind>(i) == StepKind::kPython ? measure::WarmUp::kFewestPassesAlone
                                                                                : measure::WarmUp::kFewestPasses);
        for (bool warm = false; !warm;) {
            // What tells of drift: the first pass, and those in which a time slice of others is no small part.
            const bool own_only =
                static_cast<StepKind>(i) == StepKind::kPython && warm_up.fastest_ns() > kShortestSliceNs;
            const Expected<std::int64_t> took_ns = time_pass(*rung, unit, own_only);
            if (!took_ns) {
                if (Status rest = failed_step(static_cast<StepKind>(i), took_ns.error()); !rest) return rest;
                break;
            }
            warm = warm_up.passed(*took_ns, core::wall_clock_ns() - started_ns);
        }
        if (static_cast<StepKind>(i) == StepKind::kPython)
            drift_.warmed(static_cast<double>(warm_up.first_ns()), static_cast<double>(warm_up.fastest_ns()),
                          static_cast<int>(unit));
    }
    return {};
}

/// Of all that an execution takes, what is done before it and not timed included: that is what a visit has to spend.
Expected<double> CaseRunner::estimate_ns(const Rung& rung, std::uint64_t unit) {
    core::BatchEntry whole = rung.entry;
    whole.own_times = nullptr;
    const auto cost_ns = measure::estimate_cost_ns(unit, [&](std::uint64_t n) -> std::optional<double> {
        const auto sample =
            measure::time_batch(whole, {.n = n, .lead_in_n = 0, .stack_offset_bytes = stack_offset_bytes_});
        return sample ? std::optional(sample->wall_ns) : std::nullopt;
    });
    if (!cost_ns) return passed_on(session_.batch_error());
    return *cost_ns;
}

Status CaseRunner::estimate_all() {
    for (std::size_t i = 0; i < measure::kStepKinds; ++i) {
        std::optional<Rung>& rung = rungs_[i];
        if (!rung) continue;
        const auto unit = static_cast<std::uint64_t>(measure::copies_in(static_cast<StepKind>(i), unroll_));
        Expected<double> estimate = estimate_ns(*rung, unit);
        if (estimate)
            rung->estimate_ns = *estimate;
        else if (Status s = failed_step(static_cast<StepKind>(i), estimate.error()); !s)
            return s;
    }
    return {};
}

Status CaseRunner::verify_native(StepKind kind) {
    std::optional<Rung>& native = rung(kind);
    if (!native) return {};
    const RungKind rung_kind = kind == StepKind::kNative ? RungKind::kNative : RungKind::kCpp;
    if (Status s = run_once(*native, 1); !s) return s;
    Expected<Value> verdict = session_.verify(rung_kind);
    if (!verdict) {
        problem(rung_kind, verdict.error().what);
        return {};
    }
    Map facts = native->facts.as_map();
    for (const auto& [key, value] : verdict->as_map()) facts.insert_or_assign(key, value);
    native->facts = std::move(facts);
    return {};
}

/// What was executed for a step failed: a rung besides the statement's own is given up, and the case goes on.
Status CaseRunner::failed_step(StepKind step, const core::Error& error) {
    for (const RungKind kind : {RungKind::kCall, RungKind::kNative, RungKind::kCpp}) {
        if (measure::step_of(kind) != step) continue;
        problem(kind, error.what);
        return {};
    }
    return passed_on(error);
}

/// As many copies as suit the cost.
Status CaseRunner::choose_unroll(std::uint64_t seed, bool line) {
    if (is_timed_alone()) return {};  // one copy, whatever it costs
    const Expected<double> first = estimate_ns(*rung(StepKind::kPython), static_cast<std::uint64_t>(unroll_));
    if (!first) return passed_on(first.error());
    if (*first > kLongStatementNs) return {};
    line_ = line;
    return place(seed, kUnroll);
}

Expected<Value> CaseRunner::prepare(const Value& request) {
    case_name_ = request["case"].as_text();
    wanted_.clear();
    given_up_.clear();
    problems_.clear();
    rungs_ = {};
    line_ = false;
    drift_ = {};
    batches_ = preempted_batches_ = 0;
    for (const Value& name : request["rungs"].as_list())
        if (const auto kind = core::rung_named(name.as_text())) wanted_.push_back(*kind);
    if (Status s = session_.remember_state(); !s) return passed_on(s.error());
    const auto seed = static_cast<std::uint64_t>(request["seed"].as_int());
    const auto forced_unroll = static_cast<int>(request["unroll"].as_int());
    line_ = forced_unroll > 1 && request["line"].as_bool();
    // One copy first: ten of a statement of seconds would outlast the time limit before anyone knew.
    if (Status s = place(seed, std::max(forced_unroll, 1)); !s) return passed_on(s.error());
    if (Status s = verify_native(StepKind::kNative); !s) return passed_on(s.error());
    if (Status s = verify_native(StepKind::kCpp); !s) return passed_on(s.error());
    List rungs;
    std::array<Value, measure::kStepKinds> facts;
    for (std::size_t i = 0; i < measure::kStepKinds; ++i)
        if (rungs_[i]) facts[i] = rungs_[i]->facts;
    if (forced_unroll == 0)
        if (Status s = choose_unroll(seed, request["line"].as_bool()); !s) return passed_on(s.error());
    const bool estimate = request["estimate"].as_bool(true);
    if (estimate)
        if (Status s = estimate_all(); !s) return passed_on(s.error());
    for (std::size_t i = 0; i < measure::kStepKinds; ++i) {
        if (!rungs_[i]) continue;
        rungs.emplace_back(Map{{"kind", measure::kStepNames[i]},
                               {"estimate_ns", estimate ? Value(rungs_[i]->estimate_ns) : Value()},
                               {"facts", facts[i]}});
    }
    // Counters would count what runs before each execution, too, many times what they are to tell.
    return Value(Map{{"unroll", unroll_},
                     {"rungs", std::move(rungs)},
                     {"problems", problems_},
                     {"passes", is_timed_alone() ? Value(List{}) : counting_.passes()},
                     {"timed_alone", is_timed_alone()}});
}

Expected<Value> CaseRunner::place_anew(const Value& request) {
    const auto unroll = static_cast<int>(request["unroll"].as_int());
    if (Status s = place(static_cast<std::uint64_t>(request["seed"].as_int()), unroll > 0 ? unroll : unroll_); !s)
        return passed_on(s.error());
    return Value(Map{});
}

/// Why a rung that was there at the first placement is not at this one.
std::string CaseRunner::reason_gone(StepKind kind) const {
    for (auto problem = problems_.rbegin(); problem != problems_.rend(); ++problem)
        if ((*problem)["kind"].as_text() == measure::name_of(kind)) return ": " + (*problem)["reason"].as_text();
    return {};
}

Expected<List> CaseRunner::run_steps(const List& steps, Beside& beside) {
    std::vector<Timed> batches;
    const measure::CpuUse used_before = measure::cpu_use_now();
    measure::Switches switches = measure::switches_now();
    for (const Value& step : steps) {
        const List& fields = step.as_list();
        const auto kind = fields.size() == 4 ? measure::step_named(fields[0].as_text()) : std::nullopt;
        if (!kind) return core::fail(core::ErrorCode::kUsage, "a step is not [kind, n, lead_in_n, warm_n]");
        const std::optional<Rung>& rung = rungs_[static_cast<std::size_t>(*kind)];
        if (!rung)
            return core::fail(core::ErrorCode::kCaseFailed, fmt::format("the {} rung is gone after a fresh set-up{}",
                                                                        fields[0].as_text(), reason_gone(*kind)));
        measure::BatchOrder order{
            .n = static_cast<std::uint64_t>(std::max<std::int64_t>(1, fields[1].as_int())),
            .lead_in_n = static_cast<std::uint64_t>(std::max<std::int64_t>(0, fields[2].as_int())),
            .warm_n = static_cast<std::uint64_t>(std::max<std::int64_t>(0, fields[3].as_int())),
            .stack_offset_bytes = stack_offset_bytes_,
            .counting = beside.hook};
        if (beside.references) {
            const measure::Awaited awaited =
                measure::await_quiet(beside.quiet_l1_cycles, beside.patience_ns - beside.waited_ns);
            beside.waited_ns += awaited.waited_ns;
            order.before = awaited.references;
        }
        const auto sample = measure::time_batch(rung->entry, order);
        if (!sample) return passed_on(said_of(*kind, session_.batch_error()));
        const measure::Switches switches_after = measure::switches_now();
        batches.push_back({.kind = *kind,
                           .sample = *sample,
                           .preempted = measure::was_preempted(switches, switches_after),
                           .counts = beside.counts ? counting_.last_batch() : Value()});
        switches = switches_after;
    }
    without_others(batches, used_before);
    List samples;
    for (Timed& batch : batches) {
        const core::Sample& sample = batch.sample;
        List answer{sample.n, sample.wall_ns, sample.cpu_ns};
        if (beside.references)
            answer.push_back(
                List{sample.references.l1_cycles, sample.references.alu_cycles, sample.references.clock_ghz});
        if (beside.counts) answer.push_back(std::move(batch.counts));
        samples.emplace_back(std::move(answer));
    }
    return samples;
}

bool CaseRunner::is_timed_alone() const {
    const std::optional<Rung>& python = rungs_[static_cast<std::size_t>(StepKind::kPython)];
    return python && python->entry.own_times != nullptr;
}

/// Takes the time of others out of the batches in which they took the CPU, and notes what the statement's say.
void CaseRunner::without_others(std::vector<Timed>& batches, const measure::CpuUse& used_before) {
    const bool any = std::ranges::any_of(batches, &Timed::preempted);
    const bool others_computed = any && measure::others_computed(used_before, measure::cpu_use_now());
    for (auto& [kind, sample, preempted, counts] : batches) {
        const bool held_others = preempted && measure::held_others(sample, others_computed);
        if (held_others) sample.wall_ns = sample.cpu_ns;
        if (kind != StepKind::kPython) continue;
        ++batches_;
        preempted_batches_ += held_others ? 1 : 0;
        drift_.measured(sample.wall_ns / static_cast<double>(sample.n));
    }
}

Expected<Value> CaseRunner::sample(const Value& request) {
    if (is_timed_alone() && !request["ring"].is_nil())
        return core::fail(core::ErrorCode::kUsage,
                          "samples would fall into what runs before each execution: there is no profile of the case");
    return sampling_.begin(request);
}

Expected<Value> CaseRunner::measure(const Value& request) {
    if (request["sampled"].as_bool()) {
        const Expected<const core::CountHook*> hook = sampling_.hook();
        if (!hook) return passed_on(hook.error());
        Beside sampling{.hook = *hook};
        Expected<List> samples = run_steps(request["steps"].as_list(), sampling);
        if (!samples) return passed_on(samples.error());
        return Value(Map{{"samples", *std::move(samples)}});
    }
    Beside beside{.references = request["references"].as_bool(),
                  .quiet_l1_cycles = request["quiet_l1_cycles"].as_double(),
                  .patience_ns = request["patience_ns"].as_int()};
    if (!request["pass"].is_nil()) {
        Expected<const core::CountHook*> begun = counting_.begin(static_cast<std::size_t>(request["pass"].as_int()));
        if (!begun) return passed_on(begun.error());
        beside.hook = *begun;
        beside.counts = true;
    }
    Expected<List> samples = run_steps(request["steps"].as_list(), beside);
    counting_.end();
    if (!samples) return passed_on(samples.error());
    return Value(Map{{"samples", *std::move(samples)}, {"waited_ns", beside.waited_ns}});
}

Expected<Value> CaseRunner::finish() {
    rungs_ = {};
    if (Status s = session_.release(); !s) return passed_on(s.error());
    Expected<Value> changes = session_.state_changes();
    if (!changes) return changes;
    const auto drift = drift_.kind();
    return Value(Map{{"changes", *changes},
                     {"drift", drift ? measure::name_of(*drift) : ""},
                     {"batches", batches_},
                     {"preempted_batches", preempted_batches_}});
}

}  // namespace tare::worker
