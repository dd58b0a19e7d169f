// What references beside a batch do to its time: the same batches with and without them, in random order, for cases
// drawn by seed from the shipped suite, in fresh workers. No case may move by more than 0.2 % on a quiet CPU.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "harness/core/clock.h"
#include "harness/gbench/selfbench.h"
#include "harness/measure/case_session.h"
#include "harness/measure/visit_plan.h"
#include "harness/stats/estimators.h"

namespace tare::gbench {

using core::Expected;
using core::Map;
using core::Value;

namespace {

constexpr std::uint64_t kDrawSeed = 1;
constexpr std::size_t kDrawnCases = 20;
constexpr double kMostMoved = 0.002;
constexpr int kQuads = 12;  // of four batches, at each placement

/// The logarithm of the time with references over the time without, of one quad; nothing if a batch failed.
std::optional<double> quad(measure::CaseSession& session, const measure::Step& step, bool with_first) {
    double log_ratio = 0;
    for (const bool with : {with_first, !with_first, !with_first, with_first}) {
        const auto order = with ? std::optional(measure::QuietOrder{}) : std::nullopt;
        const Expected<measure::Batches> batch = session.measure({step}, std::nullopt, order);
        if (!batch) return std::nullopt;
        log_ratio += (with ? 0.5 : -0.5) * std::log(batch->samples.front().wall_ns);
    }
    return log_ratio;
}

/// Visits a case once; false if it cannot be measured.
bool visit_drawn(measure::WorkerProcess& worker, const std::string& name, std::mt19937_64& random,
                 std::vector<double>& medians) {
    measure::CaseSession session(worker, kAnswerLimit);
    const auto prepared = session.prepare(name, {core::RungKind::kPython}, random(), {});
    if (!prepared) return false;
    measure::StepCost cost;
    for (const measure::PreparedRung& rung : prepared->rungs)
        if (rung.cost.kind == measure::StepKind::kPython) cost = rung.cost;
    const measure::PlanSettings plan;
    const measure::Step step = measure::plan_visit({cost}, prepared->unroll, plan).rungs.front().first;
    std::vector<double> logs;
    for (int i = 0; i < kQuads; ++i)
        if (const auto log_ratio = quad(session, step, random() % 2 == 0)) logs.push_back(*log_ratio);
    if (logs.empty() || !session.finish()) return false;
    medians.push_back(stats::median(logs));
    return true;
}

/// By lot.
std::vector<std::string> drawn_cases(const Value& described, std::mt19937_64& random) {
    std::vector<std::string> names;
    for (const Value& each : described["cases"].as_list()) names.push_back(each["name"].as_text());
    std::shuffle(names.begin(), names.end(), random);
    names.resize(std::min(names.size(), kDrawnCases));
    return names;
}

using Moved = std::vector<std::pair<std::string, std::vector<double>>>;  // of each case a value for each worker

/// A fresh worker visits all cases once: where a process's code and data lie decides what references cost a case.
core::Status visit_all(const MeasuredWorker& measured, std::mt19937_64& random, Moved& cases, double& left_out) {
    auto worker = measured.spawn();
    if (!worker) return tl::unexpected<core::Error>(worker.error());
    if (const Expected<Value> hello = (*worker)->request(Map{{"op", "hello"}}, kAnswerLimit); !hello)
        return tl::unexpected<core::Error>(hello.error());
    const Expected<Value> described = (*worker)->request(measured.load_request(), kAnswerLimit);
    if (!described) return tl::unexpected<core::Error>(described.error());
    if (cases.empty())
        for (std::string& name : drawn_cases(*described, random))
            cases.emplace_back(std::move(name), std::vector<double>());
    for (auto& [name, medians] : cases)
        if (!visit_drawn(**worker, name, random, medians)) left_out += 1;
    return {};
}

/// Each iteration is a worker. In per cent: the mean of all cases, and the case that moved most, with half of its 95 %
/// interval over workers. `moved_cases`: those whose interval lies beyond what may be.
void effect_of_references(benchmark::State& state, const MeasuredWorker& measured) {
    std::mt19937_64 random(kDrawSeed);
    Moved cases;
    double left_out = 0;
    for (auto unused : state)
        if (const core::Status done = visit_all(measured, random, cases, left_out); !done)
            return state.SkipWithError(done.error().what.c_str());
    if (left_out > 0) state.counters["visits_left_out"] = left_out;
    std::vector<double> all;
    double worst = 0, half = 0;
    int moved = 0;
    std::string label;
    for (const auto& [name, medians] : cases) {
        if (medians.empty()) continue;
        const double mean = stats::mean(medians);
        all.push_back(mean);
        const auto interval = stats::t_interval(medians);
        if (interval && (interval->low > kMostMoved || interval->high < -kMostMoved)) ++moved;
        if (std::abs(mean) < std::abs(worst)) continue;
        worst = mean;
        half = interval ? 0.5 * (interval->high - interval->low) : 0;
        label = name;
    }
    if (all.empty()) return state.SkipWithError("no case could be measured");
    state.counters["moved_cases"] = moved;
    state.counters["mean_percent"] = 100 * stats::mean(all);
    state.counters["worst_percent"] = 100 * worst;
    state.counters["worst_half_percent"] = 100 * half;
    state.SetLabel(label);
}

}  // namespace

void register_reference_benchmarks(const MeasuredWorker& measured) {
    benchmark::RegisterBenchmark("worker/effect_of_references",
                                 [&measured](benchmark::State& state) { effect_of_references(state, measured); })
        ->UseRealTime()
        ->Unit(benchmark::kSecond);
}

}  // namespace tare::gbench
