// RunSpecifiedBenchmarks per batch: 6 to 25 us outside the timed region (measured by tare_selfbench).
#include "harness/gbench/driver.h"

#include <benchmark/benchmark.h>

#include <cassert>

namespace tare::gbench {

namespace {

/// Keeps Google Benchmark from printing; the sample is taken inside.
class SilentReporter final : public benchmark::BenchmarkReporter {
  public:
    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>&) override {}
};

constexpr double kSecondsPerNanosecond = 1e-9;

}  // namespace

std::optional<core::Sample> drive_batch(const core::BatchEntry& entry, const measure::BatchOrder& order) {
    std::optional<core::Sample> sample;
    benchmark::RegisterBenchmark("batch",
                                 [&](benchmark::State& state) {
                                     const auto n = static_cast<benchmark::IterationCount>(order.n);
                                     while (state.KeepRunningBatch(n)) {
                                         sample = measure::time_batch(entry, order);
                                         if (!sample) {
                                             state.SkipWithError("an execution failed");
                                             break;
                                         }
                                         state.SetIterationTime(sample->wall_ns * kSecondsPerNanosecond);
                                     }
                                 })
        ->Iterations(static_cast<benchmark::IterationCount>(order.n))
        ->UseManualTime();
    SilentReporter reporter;
    [[maybe_unused]] const std::size_t ran = benchmark::RunSpecifiedBenchmarks(&reporter, "batch");
    assert(ran == 1);
    benchmark::ClearRegisteredBenchmarks();
    return sample;
}

}  // namespace tare::gbench
