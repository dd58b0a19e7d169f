// The cost of a batch: what stands around the timed region, and what the timed region adds to the time that it reports
// (the floor contains it).
#include <benchmark/benchmark.h>

#include "harness/core/clock.h"
#include "harness/gbench/selfbench.h"
#include "harness/measure/batch.h"
#include "harness/measure/reference_kernels.h"
#include "harness/measure/visit_plan.h"

namespace tare::gbench {

namespace {

core::BatchEntry empty_entry() {
    return {.context = nullptr, .arm = [](void*, std::uint64_t) {}, .run = [](void*) { return true; }};
}

/// What the references add to the batches of a rung at one placement, with what is executed before them: two readings
/// for each. A visit takes 3 to 4 times as long as its batches.
void references(benchmark::State& state) {
    const measure::PlanSettings plan;
    const double batches = plan.rung_ns / plan.batch_ns;
    const double batch_ns = ((1 + plan.lead_in_ratio) * plan.rung_ns + (batches - 1) * plan.warm_ns) / batches;
    std::int64_t spent_ns = 0;
    for (auto unused : state) {
        const std::int64_t before_ns = core::wall_clock_ns();
        benchmark::DoNotOptimize(measure::time_references());
        const std::int64_t took_ns = core::wall_clock_ns() - before_ns;
        spent_ns += took_ns;
        state.SetIterationTime(static_cast<double>(took_ns) * kSecondsPerNanosecond);
    }
    const auto readings = static_cast<double>(state.iterations());
    state.counters["share_of_batches"] = 2 * static_cast<double>(spent_ns) / readings / batch_ns;
}

void read_clock(benchmark::State& state) {
    for (auto unused : state) benchmark::DoNotOptimize(core::wall_clock_ns());
}

/// wall_ns of a batch of nothing: two readings of the clock less one, and an indirect call.
void timed_region(benchmark::State& state) {
    const core::BatchEntry entry = empty_entry();
    for (auto unused : state) {
        const auto sample = measure::time_batch(entry, {.n = 1, .lead_in_n = 0, .stack_offset_bytes = 0});
        state.SetIterationTime(sample->wall_ns * kSecondsPerNanosecond);
    }
}

/// What a batch takes beyond the wall_ns that it reports.
void outside_timed_region(benchmark::State& state) {
    const core::BatchEntry entry = empty_entry();
    for (auto unused : state) {
        const std::int64_t before_ns = core::wall_clock_ns();
        const auto sample = measure::time_batch(entry, {.n = 1000, .lead_in_n = 250, .stack_offset_bytes = 64});
        const auto all_ns = static_cast<double>(core::wall_clock_ns() - before_ns);
        state.SetIterationTime((all_ns - sample->wall_ns) * kSecondsPerNanosecond);
    }
}

}  // namespace

void register_batch_benchmarks() {
    benchmark::RegisterBenchmark("batch/read_clock", read_clock);
    benchmark::RegisterBenchmark("batch/references", references)->UseManualTime();
    benchmark::RegisterBenchmark("batch/empty_timed_region", timed_region)->UseManualTime();
    benchmark::RegisterBenchmark("batch/outside_timed_region", outside_timed_region)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
}

}  // namespace tare::gbench
