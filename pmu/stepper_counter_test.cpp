// At stake: that a ledger's instructions are those the CPU counts. The hardware's own `instructions:u` and the stepper
// must agree to the last one on the same code. Machines without a PMU, most VMs, cannot check this.
#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "pmu/plain_counter_for_test.h"
#include "pmu/stepper.h"

namespace tare::pmu {
namespace {

/// Some work with loads, branches and a division, the same for the same n.
[[gnu::noinline]] std::uint64_t work(std::uint64_t n) {
    volatile std::uint64_t sum = 1;
    for (std::uint64_t i = 1; i <= n; ++i) sum = sum + (i % 7 == 0 ? sum / i : i);
    return sum;
}

class HardwareCounter : public testing::Test {
  protected:
    void SetUp() override {
        descriptor_ = open_plain_counter(PERF_COUNT_HW_INSTRUCTIONS);
        if (descriptor_ < 0) GTEST_SKIP() << "no hardware counter of instructions here: " << std::strerror(errno);
        if (!counts_the_loop(PERF_COUNT_HW_INSTRUCTIONS))
            GTEST_SKIP() << "the counter of instructions does not count on this CPU";
        if (const auto stepper = Stepper::open(8); !stepper) GTEST_SKIP() << stepper.error().what;
        // The counter of a hybrid CPU counts on cores of one kind: on such a one this thread is, and stays.
        sched_getaffinity(0, sizeof allowed_, &allowed_);
        cpu_set_t here;
        CPU_ZERO(&here);
        CPU_SET(sched_getcpu(), &here);
        sched_setaffinity(0, sizeof here, &here);
        is_pinned_ = true;
    }
    void TearDown() override {
        if (is_pinned_) sched_setaffinity(0, sizeof allowed_, &allowed_);
        if (descriptor_ >= 0) close(descriptor_);
    }
    std::uint64_t counted(std::uint64_t n) const {
        ioctl(descriptor_, PERF_EVENT_IOC_RESET, 0);
        ioctl(descriptor_, PERF_EVENT_IOC_ENABLE, 0);
        work(n);
        ioctl(descriptor_, PERF_EVENT_IOC_DISABLE, 0);
        std::uint64_t count = 0;
        EXPECT_EQ(read(descriptor_, &count, sizeof count), static_cast<ssize_t>(sizeof count));
        return count;
    }

    /// An interrupt may add to a count.
    std::uint64_t lowest_count(std::uint64_t n) const {
        std::uint64_t lowest = counted(n);
        for (int i = 0; i < 20; ++i) lowest = std::min(lowest, counted(n));
        return lowest;
    }

  private:
    int descriptor_ = -1;
    cpu_set_t allowed_{};
    bool is_pinned_ = false;
};

std::uint64_t stepped(std::uint64_t n) {
    auto stepper = Stepper::open(kDefaultStepLimit);
    if (!stepper) return 0;
    stepper->begin();
    work(n);
    stepper->end();
    const core::Trace trace = stepper->take();
    std::uint64_t count = trace.steps.size();
    for (const core::Repeat& repeat : trace.repeats) count += repeat.times;
    return count;
}

TEST_F(HardwareCounter, AgreesWithTheStepperOnWhatMoreWorkTakes) {
    EXPECT_EQ(lowest_count(1000) - lowest_count(100), stepped(1000) - stepped(100));
}

}  // namespace
}  // namespace tare::pmu
