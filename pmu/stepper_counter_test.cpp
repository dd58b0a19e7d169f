// At stake: that a ledger's instructions are those the CPU counts. The hardware's own `instructions:u` and the stepper
// must agree to the last one on the same code. Machines without a PMU, most VMs, cannot check this.
#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

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
        perf_event_attr attributes{};
        attributes.size = sizeof attributes;
        attributes.type = PERF_TYPE_HARDWARE;
        attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
        attributes.disabled = 1;
        attributes.exclude_kernel = 1;
        attributes.exclude_hv = 1;
        descriptor_ = static_cast<int>(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0));
        if (descriptor_ < 0) GTEST_SKIP() << "no hardware counter of instructions here: " << std::strerror(errno);
    }
    void TearDown() override {
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

  private:
    int descriptor_ = -1;
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
    (void)counted(100);
    // Net of the empty call: an interrupt adds to a count, so the lowest of several is taken.
    std::uint64_t net = ~0ULL;
    for (int i = 0; i < 10; ++i) {
        const std::uint64_t more = counted(1000), less = counted(100);
        if (more > less) net = std::min(net, more - less);
    }
    EXPECT_EQ(net, stepped(1000) - stepped(100));
}

}  // namespace
}  // namespace tare::pmu
