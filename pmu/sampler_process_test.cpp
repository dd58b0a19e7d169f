// At stake: a profiled program that behaves as it would alone: its descriptors, children, executed programs and deaths;
// and samples that survive all of that.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <set>
#include <thread>

#include "pmu/sampling_for_test.h"

namespace tare::pmu {
namespace {

using core::SampleClock;
using core::StackSample;
using ::testing::AllOf;
using ::testing::Ge;
using ::testing::Gt;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Le;
using ::testing::Lt;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr std::size_t kSmallRing = std::size_t{6} << 20;

std::set<int> processes_of(const Sampled& sampled) {
    std::set<int> processes;
    for (const StackSample& each : sampled.samples) processes.insert(each.process);
    return processes;
}

/// A program that execve is given, for a child to become.
void become(const char* program) {
    execl(program, program, static_cast<char*>(nullptr));
    _exit(97);
}

/// perf_event_open answers EPERM from here on, as under Docker's default profile.
void refuse_perf_events() {
    std::array filter = {
        sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
        sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) _exit(96);
}

TEST_F(Sampling, leaves_the_samples_of_a_program_that_dies_by_a_signal) {
    const Sampled sampled = sample({.rate_hz = 1000}, [](const Child& child) {
        signal(SIGSEGV, SIG_DFL);  // a sanitizer has its own handler
        spin(200 * kMs);
        child.told.numbers[0] = core::thread_cpu_ns();
        raise(SIGSEGV);
        return 0;
    });
    EXPECT_EQ(sampled.result, 128 + SIGSEGV);
    EXPECT_THAT(sampled.seen_s(), AllOf(Gt(0.2 - slack_s(1000)), Lt(sampled.told_s(0) + slack_s(1000))));
}

TEST_F(Sampling, counts_what_was_dropped_where_nobody_drains) {
    const Sampled sampled = sample_run(
        {.rate_hz = 1000}, [](const Child& child) { spin_until_taken(child, 200); }, kSmallRing);
    EXPECT_THAT(sampled.samples, SizeIs(AllOf(Ge(5), Le(SampleRing::create(kSmallRing)->slots()))));
    EXPECT_EQ(sampled.samples.size() + sampled.counts.dropped, sampled.counts.taken);
    EXPECT_GT(sampled.counts.dropped, 100);
}

TEST_F(Sampling, does_not_sample_a_forked_child_by_itself) {
    const Sampled sampled =
        sample({.rate_hz = 1000}, [] { return result_of_child([] { return spin(100 * kMs), 0; }); });
    EXPECT_EQ(sampled.result, 0);
    EXPECT_THAT(processes_of(sampled), SizeIs(Le(1)));
    EXPECT_LT(sampled.weight_s(), sampled.ran_s() + slack_s(1000)) << "what its parent ran itself";
}

TEST_F(Sampling, samples_a_forked_child_that_begins_anew_and_ends_it_in_one_that_is_not_wanted) {
    const Sampled sampled = sample({.rate_hz = 1000}, [](const Child& child) {
        const int wanted = result_of_child([&] {
            Sampler::after_fork_in_child();
            spin(200 * kMs);
            child.told.numbers[0] = core::thread_cpu_ns();
            return 0;
        });
        return wanted + result_of_child([] {
                   Sampler::end_in_child();
                   spin(200 * kMs);
                   return Sampler::add_thread() ? 1 : 0;
               });
    });
    EXPECT_EQ(sampled.result, 0);
    EXPECT_THAT(processes_of(sampled), SizeIs(AllOf(Ge(1), Le(2))));
    EXPECT_GT(sampled.seen_s(), 0.2 - slack_s(1000));
    EXPECT_LT(sampled.seen_s(), sampled.told_s(0) + sampled.ran_s() + 2 * slack_s(1000)) << "one child and its parent";
}

TEST_F(Sampling, kills_no_program_that_a_sampled_one_becomes) {
    int worst = 0;
    for (int i = 0; i < 300 && worst == 0; ++i) {
        worst = sample(
                    {.rate_hz = 5000},
                    [&] {
                        spin(i % 10 * kMs / 30);
                        become("/bin/true");
                        return 1;
                    },
                    kSmallRing)
                    .result;
    }
    EXPECT_EQ(worst, 0);
}

TEST_F(Sampling, falls_back_to_a_timer_where_perf_is_refused_and_says_why) {
    const Sampled timed = sample_after(refuse_perf_events, {.rate_hz = 1000}, [](const Child& child) {
        const std::int64_t begin_ns = core::thread_cpu_ns();
        spin(300 * kMs);
        child.told.numbers[0] = core::thread_cpu_ns() - begin_ns;
        std::this_thread::sleep_for(std::chrono::seconds(1));
        return 0;
    });
    EXPECT_EQ(timed.result, 0);
    ASSERT_TRUE(timed.report);
    EXPECT_EQ(timed.report->clock, SampleClock::kTimer);
    EXPECT_THAT(timed.report->fallback_reason, AllOf(StartsWith("EPERM"), HasSubstr("perf_event_paranoid")));
    // What it runs in periods of which it waits for half or more the next one that it runs accounts for: the last of
    // its spinning may have none, and a period of its sleep may account for the handlers before.
    EXPECT_GT(timed.weight_s(), timed.told_s(0) - 2 * slack_s(1000));
    EXPECT_LT(timed.weight_s(), timed.ran_s() + slack_s(1000)) << "of CPU time; what it waits is not asked for";
    // Each of a period of 0.75 to 1.25 ms, 1 on average, of which it ran more than half.
    EXPECT_LT(static_cast<double>(timed.samples.size()), 2.2 * timed.ran_s() * 1000);
    EXPECT_EQ(timed.share([](const StackSample& sample) { return sample.waits; }), 0);
}

/// Numbers of the perf events that this process has open.
std::vector<int> open_events() {
    std::vector<int> numbers;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        std::error_code gone;  // the listing's own
        const std::string what = std::filesystem::read_symlink(entry.path(), gone);
        if (what.find("perf_event") != std::string::npos) numbers.push_back(std::stoi(entry.path().filename()));
    }
    return numbers;
}

TEST_F(Sampling, holds_no_low_descriptor_and_none_that_an_executed_program_would_get) {
    const Sampled sampled = sample({.rate_hz = 1000}, [] {
        for (const int number : open_events()) {
            if (number < 256) return 1;
            if ((fcntl(number, F_GETFD) & FD_CLOEXEC) == 0) return 2;
        }
        Sampler::remove_thread();
        return open_events().empty() ? 0 : 3;
    });
    EXPECT_EQ(sampled.result, 0);
}

TEST_F(Sampling, leaves_a_forked_child_no_descriptor_of_its_parent_s_threads) {
    const Sampled sampled = sample({.rate_hz = 1000}, [] {
        std::atomic<int> begun = 0;
        std::vector<std::thread> threads;
        for (int i = 0; i < 3; ++i)
            threads.emplace_back([&] {
                (void)Sampler::add_thread();
                ++begun;
                while (begun > 0) usleep(1000);
            });
        while (begun < 3) usleep(1000);
        const std::size_t of_parent = open_events().size();
        const int of_child = result_of_child([] {
            Sampler::end_in_child();
            return static_cast<int>(open_events().size());
        });
        const int of_sampled_child = result_of_child([] {
            Sampler::after_fork_in_child();
            return static_cast<int>(open_events().size());
        });
        begun = 0;
        for (std::thread& each : threads) each.join();
        if (of_parent == 0) return 0;  // perf is refused here
        return of_parent == 4 && of_child == 0 && of_sampled_child == 1 ? 0 : 1;
    });
    EXPECT_EQ(sampled.result, 0);
}

TEST_F(Sampling, bears_a_program_that_closes_all_descriptors_and_uses_their_numbers) {
    const Sampled sampled = sample({.rate_hz = 2000}, [] {
        rlimit limit{};
        getrlimit(RLIMIT_NOFILE, &limit);
        const auto most = static_cast<int>(std::min<rlim_t>(4096, limit.rlim_max));
        limit.rlim_cur = limit.rlim_max = static_cast<rlim_t>(most);
        if (setrlimit(RLIMIT_NOFILE, &limit) != 0) return 2;
        spin(200 * kMs);
        for (int i = 3; i < most; ++i) close(i);
        while (dup(STDERR_FILENO) >= 0) {
        }  // every number is the program's now
        spin(50 * kMs);
        Sampler::remove_thread();
        for (int i = 3; i < most; ++i)
            if (fcntl(i, F_GETFD) == -1) return 1;  // closed one that is not ours
        return 0;
    });
    EXPECT_EQ(sampled.result, 0);
    EXPECT_THAT(sampled.samples, SizeIs(Gt(30)));
}

TEST_F(Sampling, ends_where_the_program_takes_the_signal_for_itself) {
    const Sampled sampled = sample({.rate_hz = 1000}, [](const Child& child) {
        spin_until_taken(child, 50);
        signal(kSampleSignal, SIG_IGN);
        spin(200 * kMs);
        return 0;
    });
    EXPECT_EQ(sampled.result, 0);
    EXPECT_THAT(sampled.counts.taken, AllOf(Ge(50), Lt(65))) << "of 250";
}

TEST_F(Sampling, lets_other_signals_and_their_handlers_be) {
    static volatile int alarms = 0;
    const Sampled sampled = sample({.rate_hz = 2000}, [] {
        signal(SIGALRM, [](int) {
            spin(kMs / 20);
            alarms = alarms + 1;
        });
        const itimerval often{.it_interval = {0, 500}, .it_value = {0, 500}};
        setitimer(ITIMER_REAL, &often, nullptr);
        spin(300 * kMs);
        const itimerval never{};
        setitimer(ITIMER_REAL, &never, nullptr);
        kill(getpid(), kSampleSignal);  // sent by somebody: ignored, as by default
        return alarms > 50 ? 0 : 1;
    });
    EXPECT_EQ(sampled.result, 0);
    EXPECT_EQ(sampled.counts.dropped, 0);
    EXPECT_NEAR(sampled.seen_s(), sampled.ran_s(), slack_s(1000));
}

TEST_F(Sampling, restarts_the_program_s_system_calls) {
    const Sampled sampled = sample({.rate_hz = 5000, .wall = true}, [](const Child& child) {
        std::array<int, 2> ends{};
        if (pipe(ends.data()) != 0) return 1;
        std::thread writer([&] {
            while (child.ring.counts().taken < 20) usleep(1'000);
            (void)!write(ends[1], "x", 1);
        });
        char byte = 0;
        const ssize_t n = read(ends[0], &byte, 1);
        writer.join();
        return n == 1 ? 0 : 2;
    });
    EXPECT_EQ(sampled.result, 0);
    EXPECT_THAT(sampled.samples, SizeIs(Gt(10)));
}

TEST_F(Sampling, bears_threads_that_come_and_go_libraries_that_are_loaded_and_children) {
    const Sampled sampled = sample(
        {.rate_hz = 20'000},
        [] {
            std::array<std::thread, 3> makers;
            for (std::thread& maker : makers)
                maker = std::thread([] {
                    for (int i = 0; i < 150; ++i)
                        std::thread([i] {
                            (void)Sampler::add_thread();
                            spin(kMs / 2);
                            if (i % 2 == 0) Sampler::remove_thread();  // else it exits while its clock runs
                        }).join();
                });
            for (int i = 0; i < 300; ++i) {
                void* library = dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL);
                if (void* other = dlopen("libnsl.so.1", RTLD_NOW)) dlclose(other);
                if (library != nullptr) dlclose(library);
                if (i % 10 == 0 && result_of_child([] {
                                       Sampler::after_fork_in_child();
                                       return spin(kMs), 0;
                                   }) != 0)
                    return 1;
            }
            for (std::thread& maker : makers) maker.join();
            return 0;
        },
        kSmallRing);
    EXPECT_EQ(sampled.result, 0);
    EXPECT_EQ(sampled.counts.damaged, 0);
    EXPECT_GT(sampled.counts.taken, 1000);
}

TEST_F(Sampling, takes_200000_samples_in_bounded_memory) {
    constexpr std::uint64_t kSamples = 200'000;
    const Sampled sampled = sample(
        {.rate_hz = 20'000},
        [](const Child& child) {
            const auto resident_kb = [] {
                rusage usage{};
                getrusage(RUSAGE_SELF, &usage);
                return usage.ru_maxrss;
            };
            spin(50 * kMs);
            const long before_kb = resident_kb();
            std::thread other([&] {
                (void)Sampler::add_thread();
                spin_until_taken(child, kSamples);
            });
            spin_until_taken(child, kSamples);
            other.join();
            return resident_kb() - before_kb < 8192L ? 0 : 1;
        },
        kSmallRing);
    EXPECT_EQ(sampled.result, 0);
    EXPECT_GE(sampled.counts.taken, kSamples);
    EXPECT_EQ(sampled.counts.damaged, 0);
    std::printf("%.0f samples, %.1f us in the handler each, %.2f %% late\n", static_cast<double>(sampled.counts.taken),
                static_cast<double>(sampled.counts.handler_ns) / static_cast<double>(sampled.counts.taken) / 1e3,
                static_cast<double>(sampled.counts.late) / static_cast<double>(sampled.counts.taken) * 100);
}

}  // namespace
}  // namespace tare::pmu
