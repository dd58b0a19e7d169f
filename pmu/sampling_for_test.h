// What tests of the sampler share: programs that spin, wait and call the system, run in a forked child (the handler is
// the process's), and what is left of them in the ring.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "harness/core/clock.h"
#include "pmu/child_for_test.h"
#include "pmu/cpu_times.h"
#include "pmu/sampler.h"

namespace tare::pmu {

inline constexpr std::int64_t kMs = 1'000'000;

/// Computes until the calling thread has run for so long.
[[gnu::noinline]] inline void spin(std::int64_t cpu_ns) {
    const std::int64_t end_ns = core::thread_cpu_ns() + cpu_ns;
    volatile double x = 1;
    while (core::thread_cpu_ns() < end_ns)
        for (int i = 0; i < 2000; ++i) x = x * 1.0000001;
}

/// The same in the kernel, 0.1 ms or so a call.
[[gnu::noinline]] inline void read_zeros(std::int64_t cpu_ns) {
    static std::vector<char> buffer(std::size_t{1} << 20);
    const int zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC);
    const std::int64_t end_ns = core::thread_cpu_ns() + cpu_ns;
    // Not read(): a sanitizer's would look at the buffer, too.
    while (core::thread_cpu_ns() < end_ns && syscall(SYS_read, zeros, buffer.data(), buffer.size()) > 0) {
    }
    close(zeros);
}

/// What a child left behind.
struct Sampled {
    int result = 0;  ///< as result_of_child
    SampleCounts counts;
    std::vector<core::StackSample> samples;
    std::optional<SamplingReport> report;

    [[nodiscard]] double weight_s() const {
        double sum = 0;
        for (const core::StackSample& each : samples) sum += static_cast<double>(each.weight_ns) * 1e-9;
        return sum;
    }
    [[nodiscard]] std::map<int, double> weight_s_of_threads() const {
        std::map<int, double> sums;
        for (const core::StackSample& each : samples) sums[each.thread] += static_cast<double>(each.weight_ns) * 1e-9;
        return sums;
    }
    template <class P>
    [[nodiscard]] double share(P&& predicate) const {
        double met = 0;
        for (const core::StackSample& each : samples) met += predicate(each) ? 1 : 0;
        return met / static_cast<double>(samples.size());
    }
};

class Sampling : public ::testing::Test {
  protected:
    void SetUp() override {
#if !defined(__x86_64__)
        GTEST_SKIP() << "sampling is not available on this architecture";
#elif defined(__SANITIZE_THREAD__)
        GTEST_SKIP() << "ThreadSanitizer holds signals back until the program calls the system";
#endif
    }

    /// Runs `body` in a child whose main thread is sampled; its report is what became of it. The ring is drained when
    /// it has ended. A child that cannot be sampled ends with 99.
    template <class F>
    static Sampled sample(const SamplerSettings& settings, F&& body, std::size_t ring_bytes = kDefaultRingBytes) {
        core::Expected<SampleRing> ring = SampleRing::create(ring_bytes);
        EXPECT_TRUE(ring) << ring.error().what;
        if (!ring) return {};
        Sampled sampled;
        sampled.result = result_of_child([&] {
            ring->attach();
            const core::Status started = Sampler::start(*ring, settings);
            const core::Expected<SamplingState> state = Sampler::add_thread();
            SamplingReport report;
            if (!started) report.failure = started.error().what;
            if (!state) report.failure = state.error().what;
            if (state)
                report = {.clock = state->clock,
                          .sees_kernel = state->sees_kernel,
                          .fallback_reason = state->fallback_reason};
            ring->leave_report(report);
            if (!started || !state) return 99;
            return body();
        });
        sampled.samples = ring->drain();
        sampled.counts = ring->counts();
        sampled.report = ring->left_report();
        return sampled;
    }

    /// A child that returns 0 when `body` has run.
    template <class F>
    static Sampled sample_run(const SamplerSettings& settings, F&& body, std::size_t ring_bytes = kDefaultRingBytes) {
        return sample(
            settings,
            [&] {
                body();
                return 0;
            },
            ring_bytes);
    }

    /// Runs `check` up to twice: again where it says false and the hypervisor has taken CPU time away meanwhile.
    template <class F>
    static bool unless_disturbed(F&& check) {
        const core::Expected<CpuTimes> before = cpu_times();
        if (check()) return true;
        const core::Expected<CpuTimes> after = cpu_times();
        const double steal = before && after ? steal_share(*before, *after).value_or(0) : 0;
        std::printf("steal was %.1f %%: %s\n", steal * 100, steal > 0.02 ? "once more" : "no excuse");
        return steal > 0.02 && check();
    }
};

}  // namespace tare::pmu
