// At stake: a statement of 25 ms that read 37 ms beside a busy program, since the other's time slices were counted as
// its own; and that a statement which waits keeps its wall time.
#include "harness/measure/preemption.h"

#include <gmock/gmock.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "harness/core/clock.h"

namespace tare::measure {
namespace {

TEST(Preemption, IsTheLossOfTheCpuByAThreadThatDoesNotWait) {
    const Switches before{.waits = 7, .preemptions = 2};
    EXPECT_TRUE(was_preempted(before, {.waits = 7, .preemptions = 3}));
    EXPECT_TRUE(was_preempted(before, {.waits = 7, .preemptions = 14}));
    EXPECT_FALSE(was_preempted(before, {.waits = 7, .preemptions = 2})) << "nobody took the CPU";
    EXPECT_FALSE(was_preempted(before, {.waits = 8, .preemptions = 3})) << "it waited: that time is its own";
}

TEST(Preemption, OfAThreadIsNoneWhereItsOwnProcessComputedInItsPlace) {
    const CpuUse before{.thread_ns = 3'000'000, .process_ns = 4'000'000};
    EXPECT_FALSE(others_computed(before, {.thread_ns = 8'000'000, .process_ns = 9'000'300}));
    EXPECT_FALSE(others_computed(before, {.thread_ns = 8'000'000, .process_ns = 8'999'700}));
    EXPECT_TRUE(others_computed(before, {.thread_ns = 8'000'000, .process_ns = 9'500'000}));
}

/// Computes until the kernel has given the CPU to somebody else, for ten seconds at most.
bool lose_the_cpu(const Switches& before) {
    const std::int64_t end_ns = core::wall_clock_ns() + 10'000'000'000;
    while (core::wall_clock_ns() < end_ns)
        if (switches_now().preemptions != before.preemptions) return true;
    return false;
}

/// Keeps the CPU that the calling thread is pinned to busy, from another process.
class Neighbour {
  public:
    Neighbour() : pid_(fork()) {
        if (pid_ != 0) return;
        prctl(PR_SET_PDEATHSIG, SIGKILL);  // of this thread, which outlives the neighbour
        for (;;) asm volatile("");
    }
    ~Neighbour() {
        if (pid_ > 0) {
            kill(pid_, SIGKILL);
            waitpid(pid_, nullptr, 0);
        }
    }
    Neighbour(const Neighbour&) = delete;
    Neighbour& operator=(const Neighbour&) = delete;

  private:
    pid_t pid_;
};

TEST(Preemption, HoldsOthersOnlyWhereNoOtherThreadComputed) {
    const core::Sample fair{1, 25e6, 25e6}, slowed{1, 37e6, 25e6};
    EXPECT_TRUE(held_others(slowed, false));
    EXPECT_FALSE(held_others(slowed, true)) << "a statement whose threads compute keeps its wall time";
    EXPECT_FALSE(held_others(fair, false)) << "preempted, and back at once";
}

TEST(Preemption, IsSeenBesideAProgramOnTheSameCpu) {
    const int cpu = sched_getcpu();
    ASSERT_GE(cpu, 0);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(cpu), &one);
    std::thread([&] {
        ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
        const Neighbour neighbour;
        const Switches before = switches_now();
        if (!lose_the_cpu(before)) GTEST_SKIP() << "this kernel does not count preemptions";
        EXPECT_TRUE(was_preempted(before, switches_now()));
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        EXPECT_FALSE(was_preempted(before, switches_now())) << "who sleeps keeps wall time";
    }).join();
}

}  // namespace
}  // namespace tare::measure
