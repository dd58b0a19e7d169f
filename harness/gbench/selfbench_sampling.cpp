// What a sample costs: the handler's own time by the depth of the stack that it copies, and all that sampling takes
// from a program, interrupt and delivery of the signal included.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "harness/core/clock.h"
#include "harness/core/median.h"
#include "harness/gbench/selfbench.h"
#include "pmu/sampler.h"

namespace tare::gbench {

namespace {

#if defined(__x86_64__)

constexpr std::int64_t kMs = 1'000'000;

[[gnu::noinline]] void spin(std::int64_t cpu_ns) {
    const std::int64_t end_ns = core::thread_cpu_ns() + cpu_ns;
    while (core::thread_cpu_ns() < end_ns) benchmark::ClobberMemory();
}

/// With so much of the stack in use below.
template <std::size_t Bytes>
[[gnu::noinline]] void spin_deep(std::int64_t cpu_ns) {
    std::array<char, Bytes> used;
    used.fill(1);
    benchmark::DoNotOptimize(used);
    spin(cpu_ns);
    benchmark::DoNotOptimize(used);
}

/// This process is sampled while one of these lives.
class Sampling {
  public:
    static std::optional<Sampling> begin(benchmark::State& state, double rate_hz) {
        core::Expected<pmu::SampleRing> ring = pmu::SampleRing::create();
        if (!ring) return state.SkipWithError(ring.error().what.c_str()), std::nullopt;
        auto shared = std::make_unique<pmu::SampleRing>(*std::move(ring));
        const core::Status started = pmu::Sampler::start(*shared, {.rate_hz = rate_hz});
        if (!started) return state.SkipWithError(started.error().what.c_str()), std::nullopt;
        return Sampling(std::move(shared));
    }
    Sampling(Sampling&&) = default;
    Sampling& operator=(Sampling&&) = delete;
    ~Sampling() {
        if (ring_) pmu::Sampler::stop();
    }
    [[nodiscard]] pmu::SampleRing& ring() const { return *ring_; }

  private:
    explicit Sampling(std::unique_ptr<pmu::SampleRing> ring) : ring_(std::move(ring)) {}
    std::unique_ptr<pmu::SampleRing> ring_;
};

/// The mean over 10 ms of a thread that has little else on its stack.
template <std::size_t StackBytes>
void handler(benchmark::State& state) {
    const std::optional<Sampling> sampling = Sampling::begin(state, 5000);
    if (!sampling) return;
    double stack_bytes = 0;
    for (auto unused : state) {
        const pmu::SampleCounts before = sampling->ring().counts();
        std::thread([] {
            if (!pmu::Sampler::add_thread()) return;
            spin_deep<StackBytes>(10 * kMs);
            pmu::Sampler::remove_thread();
        }).join();
        const pmu::SampleCounts after = sampling->ring().counts();
        const auto taken = static_cast<double>(std::max<std::uint64_t>(after.taken - before.taken, 1));
        state.SetIterationTime(static_cast<double>(after.handler_ns - before.handler_ns) / taken *
                               kSecondsPerNanosecond);
        for (const core::StackSample& each : sampling->ring().drain())
            stack_bytes = std::max(stack_bytes, static_cast<double>(each.stack.size()));
    }
    state.counters["stack_bytes"] = stack_bytes;
}

/// The same work with and without, by turns: its CPU time and that of sampling in the same thread.
void share_of_cpu_time(benchmark::State& state) {
    const auto rate_hz = static_cast<double>(state.range(0));
    const std::optional<Sampling> sampling = Sampling::begin(state, rate_hz);
    if (!sampling) return;
    if (const auto thread = pmu::Sampler::add_thread(false); !thread)
        return state.SkipWithError(thread.error().what.c_str());
    const auto work_ns = [] {
        const std::int64_t before_ns = core::thread_cpu_ns();
        volatile double x = 1;
        for (int i = 0; i < 5'000'000; ++i) x = x * 1.0000001;
        return static_cast<double>(core::thread_cpu_ns() - before_ns);
    };
    std::vector<double> shares;
    const pmu::SampleCounts before = sampling->ring().counts();
    double sampled_ns = 0;
    for (auto unused : state) {
        const double without_ns = work_ns();
        pmu::Sampler::enable_thread();
        const double with_ns = work_ns();
        pmu::Sampler::disable_thread();
        sampled_ns += with_ns;
        shares.push_back(with_ns / without_ns - 1);
        state.SetIterationTime((with_ns + without_ns) * kSecondsPerNanosecond);
        (void)sampling->ring().drain();
    }
    const double taken = static_cast<double>(sampling->ring().counts().taken - before.taken);
    state.counters["share"] = core::median(std::move(shares));
    state.counters["achieved_hz"] = taken / (sampled_ns * kSecondsPerNanosecond);
}

#endif

}  // namespace

void register_sampling_benchmarks() {
#if defined(__x86_64__)
    const auto manual = [](benchmark::internal::Benchmark* each) {
        each->UseManualTime()->Unit(benchmark::kMicrosecond)->MinTime(0.0002);
    };
    manual(benchmark::RegisterBenchmark("sampling/handler/2KB", handler<1024>));
    manual(benchmark::RegisterBenchmark("sampling/handler/16KB", handler<15 * 1024>));
    manual(benchmark::RegisterBenchmark("sampling/handler/64KB", handler<64 * 1024>));
    benchmark::RegisterBenchmark("sampling/share_of_cpu_time", share_of_cpu_time)
        ->Arg(1000)
        ->Arg(5000)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
#endif
}

}  // namespace tare::gbench
