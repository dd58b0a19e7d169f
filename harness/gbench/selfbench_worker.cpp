// What a worker costs beside what it measures: its start, the catalogue, a request, a fresh placement of a case; and
// what a pair of workers takes for a visit.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "harness/core/clock.h"
#include "harness/gbench/selfbench.h"
#include "harness/measure/pair_visitor.h"

namespace tare::gbench {

using core::Expected;
using core::List;
using core::Map;
using core::Value;
using Worker = std::unique_ptr<measure::WorkerProcess>;

namespace {

constexpr const char* kTypicalCase = "add[kind=array,dtype=f8,n=8]";

/// The worker, or nothing after the state has been told why.
Worker started(benchmark::State& state, Expected<Worker> worker, const std::vector<Value>& requests) {
    if (!worker) {
        state.SkipWithError(worker.error().what.c_str());
        return nullptr;
    }
    for (const Value& request : requests)
        if (const Expected<Value> answer = (*worker)->request(request, kAnswerLimit); !answer) {
            state.SkipWithError(answer.error().what.c_str());
            return nullptr;
        }
    return *std::move(worker);
}

const Value kHello = Map{{"op", "hello"}};
const Value kFacts = Map{{"op", "facts"}};  // imports NumPy

/// Time to the answer of the last request; the end of the process is not in it.
void time_start(benchmark::State& state, const std::function<Expected<Worker>()>& spawn,
                const std::vector<Value>& requests) {
    for (auto unused : state) {
        const std::int64_t before_ns = core::wall_clock_ns();
        const Worker worker = started(state, spawn(), requests);
        if (!worker) break;
        state.SetIterationTime(static_cast<double>(core::wall_clock_ns() - before_ns) * kSecondsPerNanosecond);
    }
}

/// Reads the suite's files and makes its cases, in a fresh worker that has imported NumPy.
void load_catalogue(benchmark::State& state, const MeasuredWorker& measured) {
    for (auto unused : state) {
        const Worker worker = started(state, measured.spawn(), {kHello, kFacts});
        if (!worker) break;
        const std::int64_t before_ns = core::wall_clock_ns();
        const Expected<Value> answer = worker->request(measured.load_request(), kAnswerLimit);
        const std::int64_t after_ns = core::wall_clock_ns();
        if (!answer || (*answer)["cases"].as_list().empty()) {
            state.SkipWithError(answer ? "the suite has no cases" : answer.error().what.c_str());
            break;
        }
        state.SetIterationTime(static_cast<double>(after_ns - before_ns) * kSecondsPerNanosecond);
        state.counters["cases"] = static_cast<double>((*answer)["cases"].as_list().size());
    }
}

void repeat(benchmark::State& state, const MeasuredWorker& measured, const std::vector<Value>& before,
            const Value& request) {
    const Worker worker = started(state, measured.spawn(), before);
    if (!worker) return;
    for (auto unused : state)
        if (const Expected<Value> answer = worker->request(request, kAnswerLimit); !answer) {
            state.SkipWithError(answer.error().what.c_str());
            break;
        }
}

/// A visit of a duet to the typical case, both workers on one CPU.
void visit_pairs(benchmark::State& state, const MeasuredWorker& measured) {
    const Worker a = started(state, measured.spawn(), {kHello, measured.load_request()});
    const Worker b = started(state, measured.spawn(), {kHello, measured.load_request()});
    if (!a || !b) return;
    const core::Case typical{.operation = kTypicalCase, .parameters = {}, .statement = "x + y", .rungs = {}};
    std::optional<measure::PairSize> size;
    for (auto unused : state) {
        const core::PairVisit visit = measure::visit_pair(*a, *b, typical, {}, {}, size);
        if (!visit.errors.empty()) {
            state.SkipWithError(visit.errors.front().error.what.c_str());
            break;
        }
        size = measure::PairSize{visit.n, visit.unroll};
    }
}

}  // namespace

void register_worker_benchmarks(const MeasuredWorker& measured) {
    const auto add = [&](const char* name, const auto& function, benchmark::TimeUnit unit, bool manual) {
        auto* added = benchmark::RegisterBenchmark(name, function)->Unit(unit);
        manual ? added->UseManualTime() : added->UseRealTime();
    };
    const Value prepare = Map{{"op", "prepare"},
                              {"case", kTypicalCase},
                              {"seed", 1},
                              {"rungs", List{"python", "call", "native", "cpp", "floor"}}};
    const Value duet_prepare =
        Map{{"op", "prepare"}, {"case", kTypicalCase}, {"seed", 1}, {"rungs", List{"python"}}, {"unroll", 10}};
    const Value placement = Map{{"op", "place"}, {"seed", 2}};
    Map load_one = measured.load_request().as_map();
    load_one.insert_or_assign("cases", List{kTypicalCase});
    const auto start_of = [&measured](const char* code) {
        return [&measured, code](benchmark::State& state) {
            time_start(state, [&] { return measured.spawn_plain_python(code); }, {Map{}});
        };
    };
    add("subject/start", start_of("pass"), benchmark::kMillisecond, true);
    add("subject/start_and_import_numpy", start_of("import numpy"), benchmark::kMillisecond, true);
    add(
        "worker/start_and_load",
        [&](benchmark::State& state) {
            time_start(state, [&] { return measured.spawn(); }, {kHello, measured.load_request()});
        },
        benchmark::kMillisecond, true);
    add(
        "worker/start_and_load_one_case",
        [&measured, load_one](benchmark::State& state) {
            time_start(state, [&] { return measured.spawn(); }, {kHello, load_one});
        },
        benchmark::kMillisecond, true);
    add(
        "worker/load_catalogue", [&](benchmark::State& state) { load_catalogue(state, measured); },
        benchmark::kMillisecond, true);
    add(
        "worker/request", [&](benchmark::State& state) { repeat(state, measured, {kHello}, kHello); },
        benchmark::kMicrosecond, false);
    add(
        "worker/fresh_placement",
        [&measured, prepare, placement](benchmark::State& state) {
            repeat(state, measured, {kHello, measured.load_request(), prepare}, placement);
        },
        benchmark::kMicrosecond, false);
    add(
        "worker/fresh_placement_of_a_duet",
        [&measured, duet_prepare, placement](benchmark::State& state) {
            repeat(state, measured, {kHello, measured.load_request(), duet_prepare}, placement);
        },
        benchmark::kMicrosecond, false);
    add(
        "worker/visit_of_a_pair", [&](benchmark::State& state) { visit_pairs(state, measured); },
        benchmark::kMillisecond, false);
}

}  // namespace tare::gbench
