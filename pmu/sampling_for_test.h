// What tests of the sampler share: programs that spin, wait and call the system, run in a forked child (the handler is
// the process's), and what is left of them in the ring.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <new>
#include <string>
#include <type_traits>
#include <vector>

#include "harness/core/clock.h"
#include "pmu/child_for_test.h"
#include "pmu/sampler.h"

namespace tare::pmu {

inline constexpr std::int64_t kMs = 1'000'000;

/// Computes until the calling thread has run for so long; it reads the clock, a system call, some twenty times: each
/// stretch between is half of what is left, as fast as the one before went, and no more than eight of that one: a clock
/// that ticks every 10 ms says of the first that it took nothing.
[[gnu::noinline]] inline void spin(std::int64_t cpu_ns) {
    constexpr double kShortest = 2000;  // some 8 us
    std::int64_t now_ns = core::thread_cpu_ns();
    const std::int64_t end_ns = now_ns + cpu_ns;
    volatile double x = 1;
    for (double stretch = kShortest; now_ns < end_ns;) {
        for (double i = 0; i < stretch; ++i) x = x * 1.0000001;
        const std::int64_t spent_ns = std::max<std::int64_t>(core::thread_cpu_ns() - now_ns, 1);
        now_ns += spent_ns;
        stretch *= std::min(static_cast<double>(end_ns - now_ns) / 2 / static_cast<double>(spent_ns), 8.0);
        stretch = std::max(stretch, kShortest);
    }
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

/// What a child tells of itself while it runs. What it did is known to nobody else: a machine that stands still for a
/// moment, with the thread's clock going on, makes it more than was asked for.
struct Told {
    std::int64_t ran_ns = 0;  ///< CPU time of its main thread, from where it began to be sampled to the end of `body`
    std::array<std::int64_t, 8> numbers{};  ///< whatever `body` tells
};

/// What the body of a child may ask for.
struct Child {
    SampleRing& ring;
    Told& told;
};

/// Computes until so many samples were taken. How long that takes is the machine's matter.
inline void spin_until_taken(const Child& child, std::uint64_t samples) {
    while (child.ring.counts().taken < samples) spin(5 * kMs);
}

/// The same, between two points of CLOCK_MONOTONIC that it tells as its first numbers.
inline void spin_told(const Child& child, std::uint64_t samples) {
    child.told.numbers[0] = core::wall_clock_ns();
    spin_until_taken(child, samples);
    child.told.numbers[1] = core::wall_clock_ns();
}

/// How far apart weights and CPU time may lie: what a thread runs after its last sample is in none of them, and a timer
/// that ends early gives a whole period.
[[nodiscard]] inline double slack_s(double rate_hz) {
    return 4 / rate_hz;
}

/// What a child left behind.
struct Sampled {
    int result = 0;  ///< as result_of_child
    Told told;
    SampleCounts counts;
    std::vector<core::StackSample> samples;
    std::optional<SamplingReport> report;

    [[nodiscard]] double weight_s() const {
        double sum = 0;
        for (const core::StackSample& each : samples) sum += static_cast<double>(each.weight_ns) * 1e-9;
        return sum;
    }
    /// All CPU time that was accounted for: with the periods that ended in a kernel that perf may not see.
    [[nodiscard]] double seen_s() const { return weight_s() + static_cast<double>(counts.unseen_ns) * 1e-9; }
    [[nodiscard]] double ran_s() const { return static_cast<double>(told.ran_ns) * 1e-9; }
    [[nodiscard]] double told_s(std::size_t i) const { return static_cast<double>(told.numbers.at(i)) * 1e-9; }
    /// Those that spin_told() met: how many come before it and behind it is the machine's matter.
    [[nodiscard]] std::vector<core::StackSample> told_samples() const {
        std::vector<core::StackSample> met;
        for (const core::StackSample& each : samples)
            if (static_cast<std::int64_t>(each.time_ns) >= told.numbers[0] &&
                static_cast<std::int64_t>(each.time_ns) <= told.numbers[1])
                met.push_back(each);
        return met;
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
    /// it has ended. A child that cannot be sampled ends with 99. `body` takes nothing, or a Child.
    template <class F>
    static Sampled sample(const SamplerSettings& settings, F&& body, std::size_t ring_bytes = kDefaultRingBytes) {
        return sample_after([] {}, settings, body, ring_bytes);
    }

    /// The same; first the child prepares itself.
    template <class P, class F>
    static Sampled sample_after(P&& prepare, const SamplerSettings& settings, F&& body,
                                std::size_t ring_bytes = kDefaultRingBytes) {
        core::Expected<SampleRing> ring = SampleRing::create(ring_bytes);
        EXPECT_TRUE(ring) << ring.error().what;
        void* page = mmap(nullptr, sizeof(Told), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        EXPECT_NE(page, MAP_FAILED);
        if (!ring || page == MAP_FAILED) return {};
        Told& told = *new (page) Told;
        Sampled sampled;
        sampled.result = result_of_child([&] {
            prepare();
            ring->attach();
            const std::int64_t begin_ns = core::thread_cpu_ns();
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
            const int result = call(body, {*ring, told});
            told.ran_ns = core::thread_cpu_ns() - begin_ns;
            return result;
        });
        sampled.told = told;
        munmap(page, sizeof(Told));
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
            [&](const Child& child) {
                if constexpr (std::is_invocable_v<F, const Child&>)
                    body(child);
                else
                    body();
                return 0;
            },
            ring_bytes);
    }

  private:
    template <class F>
    static int call(F&& body, const Child& child) {
        if constexpr (std::is_invocable_v<F, const Child&>)
            return body(child);
        else
            return body();
    }
};

}  // namespace tare::pmu
