// tare_selfbench [--python P] [--memory] [--benchmark_...]: what the harness itself costs, by Google Benchmark, and
// what memory it takes. Exit status 1 if a benchmark failed, 2 if there is no subject to start a worker for.
#include "harness/gbench/selfbench.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

using tare::core::Error;
using tare::core::Expected;
using tare::gbench::MeasuredWorker;

constexpr const char* kHelp =
    "tare_selfbench [--python P] [--memory] [options of Google Benchmark]\n"
    "Times the harness itself: a batch outside its timed region, the channel, a worker's start and its catalogue, a\n"
    "record of 700 cases, a sample, a stepped instruction, reading counters. --memory prints instead what `bench` and "
    "a\n"
    "worker take beyond CPython and NumPy.\n"
    "  --python P   the subject whose worker is started (default: $TARE_PYTHON, else python3)\n";

/// Prints as Google Benchmark does, and counts what failed.
class CountingReporter final : public benchmark::ConsoleReporter {
  public:
    CountingReporter() : ConsoleReporter(isatty(STDOUT_FILENO) != 0 ? OO_Color : OO_None) {}
    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs) failed_ += run.error_occurred ? 1 : 0;
        ConsoleReporter::ReportRuns(runs);
    }
    [[nodiscard]] int failed() const { return failed_; }

  private:
    int failed_ = 0;
};

int print_error(const Error& error) {
    fmt::print(stderr, "{}\n{}{}", error.what, error.hint, error.hint.empty() ? "" : "\n");
    return 2;
}

/// Takes our own options out of the arguments.
struct Options {
    std::string python = "python3";
    bool memory = false;
    bool help = false;

    Options(int& count, char** arguments) {
        if (const char* preset = std::getenv("TARE_PYTHON"); preset != nullptr && *preset != '\0') python = preset;
        int kept = 1;
        for (int i = 1; i < count; ++i) {
            if (std::strcmp(arguments[i], "--memory") == 0)
                memory = true;
            else if (std::strcmp(arguments[i], "--help") == 0)
                help = true;
            else if (std::strcmp(arguments[i], "--python") == 0 && i + 1 < count)
                python = arguments[++i];
            else
                arguments[kept++] = arguments[i];
        }
        count = kept;
    }
};

}  // namespace

int main(int count, char** arguments) {
    const Options options(count, arguments);
    if (options.help) fmt::print("{}", kHelp);
    if (options.help) return 0;
    benchmark::Initialize(&count, arguments);
    if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 2;
    const Expected<MeasuredWorker> worker = MeasuredWorker::find(options.python);
    if (!worker) return print_error(worker.error());
    if (options.memory) {
        const Expected<std::string> table = tare::gbench::memory_table(*worker);
        if (!table) return print_error(table.error());
        fmt::print("{}", *table);
        return 0;
    }
    tare::gbench::register_batch_benchmarks();
    tare::gbench::register_channel_benchmarks();
    tare::gbench::register_counting_benchmarks();
    tare::gbench::register_record_benchmarks();
    tare::gbench::register_sampling_benchmarks();
    tare::gbench::register_stepping_benchmarks();
    tare::gbench::register_worker_benchmarks(*worker);
    tare::gbench::register_reference_benchmarks(*worker);
    CountingReporter reporter;
    const std::size_t ran = benchmark::RunSpecifiedBenchmarks(&reporter);
    if (reporter.failed() > 0) fmt::print(stderr, "{} of {} benchmarks failed\n", reporter.failed(), ran);
    return ran == 0 || reporter.failed() > 0 ? 1 : 0;
}
