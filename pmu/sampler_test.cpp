// At stake: that 1,000 a second means 1,000, that weights add up to the time a thread ran, and that a sample is the
// thread at that moment: its registers, its own stack, whether it was in the kernel, whether it waited.
#include "pmu/sampler.h"

#include <gmock/gmock.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <thread>

#include "pmu/own_memory_for_test.h"
#include "pmu/sampling_for_test.h"

namespace tare::pmu {
namespace {

using core::SampleClock;
using core::StackSample;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::Ge;
using ::testing::Gt;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Le;
using ::testing::Lt;
using ::testing::SizeIs;

constexpr auto kWaiting = [](const StackSample& sample) { return sample.waits; };
constexpr auto kKernel = [](const StackSample& sample) { return sample.in_kernel; };

bool holds(const StackSample& sample, std::uint64_t value) {
    for (std::size_t at = 0; at + sizeof value <= sample.stack.size(); at += sizeof value)
        if (std::memcmp(sample.stack.data() + at, &value, sizeof value) == 0) return true;
    return false;
}

/// Why samples do not tell whether the thread was in the kernel; empty: they do.
std::string why_not_kernel(const Sampled& sampled) {
    if (sampled.report->clock == SampleClock::kTimer) return "a timer knows system calls only";
    return sampled.report->sees_kernel ? "" : "perf may not look into the kernel here";
}

class Rate : public Sampling, public ::testing::WithParamInterface<double> {};

// A period lies evenly between 3/4 and 5/4 of the mean: 2,000 of them take 2,000 times the mean, with a standard
// deviation of 0.32 %, so that one run in 10^9 is off by 2 %. A sample that comes after a standstill stands for
// several.
TEST_P(Rate, is_what_was_asked_within_two_percent_of_the_thread_s_cpu_time) {
    double periods = 0;
    double ran_s = 0;
    SampleCounts counts;
    for (int i = 0; i < 5; ++i) {
        const auto run_ns = static_cast<std::int64_t>(400e9 / GetParam());
        const Sampled sampled = sample_run({.rate_hz = GetParam()}, [&] { spin(run_ns); });
        ASSERT_EQ(sampled.result, 0);
        if (sampled.report->clock == SampleClock::kTimer) GTEST_SKIP() << sampled.report->fallback_reason;
        ASSERT_EQ(sampled.counts.dropped, 0) << "their weights are not known";
        for (const StackSample& each : sampled.samples)
            periods += std::max(1.0, std::round(static_cast<double>(each.weight_ns) * 1e-9 * GetParam()));
        periods += std::round(static_cast<double>(sampled.counts.unseen_ns) * 1e-9 * GetParam());
        ran_s += sampled.ran_s();
        counts.taken += sampled.counts.taken;
        counts.late += sampled.counts.late;
        counts.handler_ns += sampled.counts.handler_ns;
        counts.delivery_ns += sampled.counts.delivery_ns;
    }
    const auto taken = static_cast<double>(counts.taken);
    std::printf("asked %.0f Hz, got %.1f; a sample takes %.1f us to the handler, %.1f us in it; %.2f %% late\n",
                GetParam(), taken / ran_s, static_cast<double>(counts.delivery_ns) / taken / 1e3,
                static_cast<double>(counts.handler_ns) / taken / 1e3, static_cast<double>(counts.late) / taken * 100);
    EXPECT_GT(counts.handler_ns, 0);
    EXPECT_LT(taken / ran_s, GetParam() * 1.02);
    EXPECT_NEAR(periods / ran_s / GetParam(), 1, 0.02);
}
INSTANTIATE_TEST_SUITE_P(Sampler, Rate, ::testing::Values(1000.0, 5000.0));

TEST_F(Sampling, gives_weights_that_add_up_to_the_time_that_the_thread_ran) {
    const Sampled sampled = sample_run({.rate_hz = 1000}, [] {
        for (int i = 0; i < 50; ++i) {
            spin(10 * kMs);
            usleep(2'000);
        }
    });
    ASSERT_EQ(sampled.counts.dropped, 0);
    EXPECT_GE(sampled.ran_s(), 0.5);
    EXPECT_NEAR(sampled.seen_s(), sampled.ran_s(), slack_s(1000));
    EXPECT_EQ(sampled.samples.size(), sampled.counts.taken);
}

TEST_F(Sampling, copies_registers_and_the_stack_above_them_up_to_the_program_s_entry) {
    constexpr std::uint64_t kMark = 0x6d61726b'6d61726b;
    const Sampled sampled = sample_run({.rate_hz = 2000}, [](const Child& child) {
        volatile std::uint64_t mark = kMark;
        spin_told(child, 150);
        mark = mark + 1;
    });
    const std::vector<StackSample> marked = sampled.told_samples();
    EXPECT_THAT(marked, SizeIs(Gt(100)));
    for (const StackSample& sample : marked) EXPECT_TRUE(holds(sample, kMark));
    for (const StackSample& sample : sampled.samples) {
        const std::uint64_t below = sample.registers[core::kStackPointer] - sample.stack_address;
        EXPECT_EQ(below, 128) << "the red zone";
        EXPECT_GT(sample.stack.size(), below);
        EXPECT_FALSE(sample.stack_cut);
        EXPECT_NE(sample.registers[core::kInstructionPointer], 0);
    }
}

TEST_F(Sampling, cuts_a_stack_beyond_128_KB_and_says_so) {
    const Sampled sampled = sample_run({.rate_hz = 2000}, [](const Child& child) {
        std::array<volatile char, 200'000> much;
        much[0] = 1;
        spin_told(child, 80);
        much[1] = 2;
    });
    const std::vector<StackSample> cut = sampled.told_samples();
    EXPECT_THAT(cut, SizeIs(Gt(50)));
    for (const StackSample& sample : cut) {
        EXPECT_TRUE(sample.stack_cut);
        EXPECT_THAT(sample.stack, SizeIs(kMostStackBytes));
    }
}

TEST_F(Sampling, copies_a_stack_of_which_it_does_not_know_the_end_as_far_as_it_goes) {
    if (const std::string why = why_no_memory_is_read(); !why.empty()) GTEST_SKIP() << why;
    constexpr std::size_t kStackBytes = std::size_t{5} * 4096;
    const Sampled sampled = sample_run({.rate_hz = 2000}, [](const Child& child) {
        auto* low = static_cast<std::byte*>(
            mmap(nullptr, kStackBytes + 2 * std::size_t{4096}, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        mprotect(low + 4096, kStackBytes, PROT_READ | PROT_WRITE);  // a guard page on either side
        static ucontext_t here;
        static ucontext_t coroutine;
        static const Child* own = &child;
        getcontext(&coroutine);
        coroutine.uc_stack.ss_sp = low + 4096;
        coroutine.uc_stack.ss_size = kStackBytes;
        coroutine.uc_link = &here;
        makecontext(
            &coroutine, [] { spin_told(*own, 100); }, 0);
        swapcontext(&here, &coroutine);
    });
    EXPECT_EQ(sampled.result, 0);
    const std::vector<StackSample> small = sampled.told_samples();
    EXPECT_THAT(small, SizeIs(Gt(50)));
    for (const StackSample& sample : small) {
        EXPECT_FALSE(sample.stack_cut);
        EXPECT_THAT(sample.stack, SizeIs(AllOf(Gt(128), Le(kStackBytes))));
    }
}

TEST_F(Sampling, tells_time_in_the_kernel_from_time_in_the_program) {
    const Sampled computing = sample_run({.rate_hz = 1000}, [] { spin(300 * kMs); });
    const Sampled reading = sample_run({.rate_hz = 1000}, [] { read_zeros(300 * kMs); });
    if (const std::string why = why_not_kernel(reading); !why.empty()) GTEST_SKIP() << why;
    EXPECT_LT(computing.share(kKernel), 0.1);
    EXPECT_GT(reading.share(kKernel), 0.9);
    EXPECT_EQ(reading.counts.unseen_ns, 0);
}

TEST_F(Sampling, knows_page_faults_as_time_in_the_kernel) {
    const Sampled sampled = sample_run({.rate_hz = 1000}, [] {
        const std::int64_t end_ns = core::thread_cpu_ns() + 300 * kMs;
        while (core::thread_cpu_ns() < end_ns) {
            constexpr std::size_t kBytes = std::size_t{16} << 20;
            auto* memory =
                static_cast<char*>(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
            for (std::size_t at = 0; at < kBytes; at += 4096) memory[at] = 1;
            munmap(memory, kBytes);
        }
    });
    if (const std::string why = why_not_kernel(sampled); !why.empty()) GTEST_SKIP() << why;
    EXPECT_GT(sampled.share(kKernel), 0.5);
}

TEST_F(Sampling, counts_the_time_in_a_kernel_that_perf_may_not_see) {
    const Sampled sampled = sample_run({.rate_hz = 1000, .kernel = false}, [](const Child& child) {
        spin(200 * kMs);
        const std::int64_t begin_ns = core::thread_cpu_ns();
        read_zeros(200 * kMs);
        child.told.numbers[0] = core::thread_cpu_ns() - begin_ns;
        spin(1 * kMs);  // what went unseen is noticed at the next sample
        spin(5 * kMs);
    });
    if (sampled.report->clock == SampleClock::kTimer) GTEST_SKIP() << sampled.report->fallback_reason;
    EXPECT_FALSE(sampled.report->sees_kernel);
    EXPECT_NEAR(sampled.seen_s(), sampled.ran_s(), slack_s(1000));
    // A standstill of the machine counts as unseen, too; of the kernel's time the program's own between two calls is
    // seen.
    EXPECT_GT(static_cast<double>(sampled.counts.unseen_ns) * 1e-9, sampled.told_s(0) * 0.95 - slack_s(1000));
    EXPECT_GT(sampled.weight_s(), 0.2 * (sampled.ran_s() - sampled.told_s(0)));
}

TEST_F(Sampling, by_the_wall_clock_samples_a_thread_that_sleeps_and_says_that_it_waits) {
    if (const std::string why = why_no_memory_is_read(); !why.empty()) GTEST_SKIP() << why;
    const Sampled sampled = sample_run({.rate_hz = 1000, .wall = true}, [](const Child& child) {
        const std::int64_t begin_ns = core::wall_clock_ns();
        std::int64_t now_ns = begin_ns;
        for (; now_ns < begin_ns + 300 * kMs; now_ns = core::wall_clock_ns()) usleep(100'000);
        child.told.numbers[0] = now_ns - begin_ns;
    });
    EXPECT_EQ(sampled.report->clock, SampleClock::kTimer);
    EXPECT_EQ(sampled.report->fallback_reason, "") << "a timer is what was asked for";
    EXPECT_GT(sampled.share(kWaiting), 0.9);
    EXPECT_GT(sampled.share(kKernel), 0.9);
    EXPECT_NEAR(sampled.weight_s(), sampled.told_s(0), slack_s(1000));
    const Sampled computing =
        sample_run({.rate_hz = 1000, .wall = true}, [](const Child& child) { spin_until_taken(child, 80); });
    ASSERT_THAT(computing.samples, SizeIs(Gt(50)));
}

TEST_F(Sampling, samples_nothing_while_it_is_disabled_and_short_windows_at_the_same_rate) {
    const Sampled sampled = sample_run({.rate_hz = 1000}, [](const Child& child) {
        Sampler::disable_thread();
        for (int i = 0; i < 1000; ++i) {
            spin(kMs / 2);
            const std::int64_t begin_ns = core::thread_cpu_ns();
            Sampler::enable_thread();
            spin(kMs / 5);
            Sampler::disable_thread();
            child.told.numbers[0] += core::thread_cpu_ns() - begin_ns;
        }
    });
    EXPECT_GT(sampled.told_s(0), 0.2);
    EXPECT_GT(sampled.ran_s(), sampled.told_s(0) + 0.5);
    EXPECT_NEAR(sampled.seen_s(), sampled.told_s(0), 0.03)
        << "1,000 windows, at each end of which some microseconds count";
    EXPECT_LT(static_cast<double>(sampled.samples.size()), sampled.told_s(0) * 1000 * 1.15);
}

TEST_F(Sampling, samples_each_of_four_threads_for_the_time_that_it_ran) {
    const Sampled sampled = sample_run({.rate_hz = 1000}, [](const Child& child) {
        Sampler::remove_thread();
        std::vector<std::thread> threads;
        for (std::size_t i = 0; i < 4; ++i)
            threads.emplace_back([i, &child] {
                const std::int64_t begin_ns = core::thread_cpu_ns();
                if (!Sampler::add_thread()) _exit(98);
                spin(50 * kMs * (static_cast<std::int64_t>(i) + 1));
                Sampler::remove_thread();
                child.told.numbers[i] = core::thread_cpu_ns() - begin_ns;
                child.told.numbers[4 + i] = syscall(SYS_gettid);
                spin(50 * kMs);
            });
        for (std::thread& each : threads) each.join();
    });
    ASSERT_EQ(sampled.result, 0);
    std::map<int, double> weights_s = sampled.weight_s_of_threads();
    const double unseen_s = static_cast<double>(sampled.counts.unseen_ns) * 1e-9;  // of any of them
    for (std::size_t i = 0; i < 4; ++i) {
        const double weight_s = weights_s[static_cast<int>(sampled.told.numbers[4 + i])];
        EXPECT_LT(weight_s, sampled.told_s(i) + slack_s(1000)) << i;
        EXPECT_GT(weight_s, sampled.told_s(i) - slack_s(1000) - unseen_s) << i;
    }
}

TEST_F(Sampling, counts_an_event_and_weighs_samples_with_it) {
    core::CounterRequest faults;
    faults.name = "page-faults";
    faults.type = 1;    // PERF_TYPE_SOFTWARE
    faults.config = 2;  // PERF_COUNT_SW_PAGE_FAULTS
    faults.kernel = true;
    constexpr std::int64_t kPages = 100;
    constexpr std::uint64_t kSamples = 100;
    const Sampled sampled = sample_run({.rate_hz = 2000, .event = faults}, [](const Child& child) {
        auto* memory = static_cast<char*>(
            mmap(nullptr, kPages * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        madvise(memory, kPages * 4096, MADV_NOHUGEPAGE);
        // The kernel adapts the period to the rate; what comes after the last sample is in none: there is nothing after
        // it.
        for (std::uint64_t taken = 0; taken < kSamples; taken = child.ring.counts().taken) {
            for (std::size_t i = 0; i < kPages; ++i) memory[i * 4096] = 1;
            madvise(memory, kPages * 4096, MADV_DONTNEED);
            child.told.numbers[0] += kPages;
        }
    });
    if (sampled.report->clock != SampleClock::kPmu) GTEST_SKIP() << sampled.report->fallback_reason;
    EXPECT_GE(sampled.samples.size(), kSamples);
    const auto happened = static_cast<double>(sampled.told.numbers[0]);
    EXPECT_THAT(sampled.weight_s() * 1e9, AllOf(Gt(happened * 0.6), Lt(happened * 1.1)));
}

TEST_F(Sampling, refuses_rates_that_the_kernel_does_not_have_and_a_second_start) {
    core::Expected<SampleRing> ring = SampleRing::create(std::size_t{6} << 20);
    for (const double rate_hz : {0.0, -1.0, 1e6})
        EXPECT_EQ(Sampler::start(*ring, {.rate_hz = rate_hz}).error().code, core::ErrorCode::kUsage);
    EXPECT_THAT(Sampler::add_thread().error().what, HasSubstr("has not begun"));
    EXPECT_EQ(result_of_child([&] {
                  if (!Sampler::start(*ring, {})) return 1;
                  return Sampler::start(*ring, {}) ? 2 : 0;
              }),
              0);
}

TEST_F(Sampling, ends_by_itself_when_the_duration_is_over) {
    for (const bool wall : {false, true}) {
        core::Expected<SampleRing> ring = SampleRing::create();
        ASSERT_TRUE(ring);
        ring->set_duration(200 * kMs);
        EXPECT_EQ(result_of_child([&] {
                      ring->attach();
                      if (!Sampler::start(*ring, {.wall = wall}) || !Sampler::add_thread()) return 99;
                      spin(600 * kMs);
                      return 0;
                  }),
                  0);
        EXPECT_THAT(ring->counts().taken, AllOf(Gt(5U), Le(215U))) << "at 1 kHz, of 600 ms";
        const std::vector<StackSample> samples = ring->drain();
        ASSERT_FALSE(samples.empty());
        EXPECT_LE(samples.back().time_ns - samples.front().time_ns, 200 * kMs);
        ASSERT_TRUE(ring->cpu_ns_at_end());
        EXPECT_LT(*ring->cpu_ns_at_end(), 400 * kMs);
    }
}

}  // namespace
}  // namespace tare::pmu
