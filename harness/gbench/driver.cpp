// RunSpecifiedBenchmarks per batch: 6 to 25 us outside the timed region (measured by tare_selfbench).
#include "harness/gbench/driver.h"

#include <benchmark/benchmark.h>

#include <array>
#include <cassert>
#include <string>

namespace tare::gbench {

namespace {

/// Keeps Google Benchmark from printing; the sample is taken inside.
class SilentReporter final : public benchmark::BenchmarkReporter {
  public:
    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>&) override {}
};

constexpr double kSecondsPerNanosecond = 1e-9;

/// Google Benchmark takes its flags' defaults from BENCHMARK_* variables. One that the user has set for other programs
/// would repeat every batch, write it to a file, or list it instead of running it.
bool forget_environment() {
    std::array<std::string, 6> words = {"tare",
                                        "--benchmark_repetitions=1",
                                        "--benchmark_list_tests=false",
                                        "--benchmark_out=",
                                        "--benchmark_perf_counters=",
                                        "--benchmark_enable_random_interleaving=false"};
    std::array<char*, words.size()> arguments{};
    for (std::size_t i = 0; i < words.size(); ++i) arguments[i] = words[i].data();
    int count = static_cast<int>(words.size());
    benchmark::Initialize(&count, arguments.data());
    return count == 1;
}

}  // namespace

std::optional<core::Sample> drive_batch(const core::BatchEntry& entry, const measure::BatchOrder& order) {
    [[maybe_unused]] static const bool forgotten = forget_environment();
    assert(forgotten);
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
