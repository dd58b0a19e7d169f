// At stake: whether any of it is true of a real kernel. Faults and time are counted exactly or within bounds here; what
// this machine's PMU cannot do is skipped with the kernel's own reason.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include "harness/core/clock.h"
#include "pmu/core_pmu.h"
#include "pmu/counter_set.h"
#include "pmu/cpu_pin.h"
#include "pmu/known_work.h"
#include "pmu/plain_counter_for_test.h"
#include "pmu/self_test.h"

namespace tare::pmu {
namespace {

using core::CounterRole;
using core::CounterSource;
using core::CounterState;

core::CounterRequest request(const char* name, CounterRole role, CounterSource source, std::uint64_t config) {
    core::CounterRequest made;
    made.name = name;
    made.event = std::string("perf::") + name;
    made.role = role;
    made.source = source;
    made.type = source == CounterSource::kHardware ? PERF_TYPE_HARDWARE : PERF_TYPE_SOFTWARE;
    made.config = config;
    return made;
}
core::CounterRequest task_clock() {
    return request("task_clock", CounterRole::kTaskClock, CounterSource::kSoftware, PERF_COUNT_SW_TASK_CLOCK);
}
core::CounterRequest page_faults() {
    return request("page_faults", CounterRole::kPageFaults, CounterSource::kSoftware, PERF_COUNT_SW_PAGE_FAULTS);
}
core::CounterRequest switches() {
    return request("context_switches", CounterRole::kContextSwitches, CounterSource::kUsage, 0);
}
core::CounterRequest cycles() {
    return request("cycles", CounterRole::kCycles, CounterSource::kHardware, PERF_COUNT_HW_CPU_CYCLES);
}
core::CounterRequest instructions() {
    return request("instructions", CounterRole::kInstructions, CounterSource::kHardware, PERF_COUNT_HW_INSTRUCTIONS);
}

std::size_t descriptors_in_use() {
    std::size_t count = 0;
    for (int descriptor = 0; descriptor < 1024; ++descriptor) count += ::fcntl(descriptor, F_GETFD) >= 0;
    return count;
}

/// Why a counter is not counted here; empty: it is.
std::string why_not(const CounterSet& counters, std::size_t counter) {
    const auto& problem = counters.counters().outcomes[counter].problem;
    return problem ? problem->errno_name + ": " + problem->reason : "";
}

std::vector<std::int64_t> counts_of(CounterSet& counters, WorkKind kind) {
    auto work = KnownWork::prepare(kind);
    EXPECT_TRUE(work && counters.activate(0));
    work->reset();
    counters.read_before();
    work->run();
    counters.read_after();
    std::vector<std::int64_t> values;
    for (const core::RawCount& each : counters.difference().counts) values.push_back(each.value);
    return values;
}

TEST(LinuxCounters, OfTheKernelCountFaultsAndTime) {
    CounterSet counters = CounterSet::open({task_clock(), page_faults(), switches()}, linux_kernel());
    for (const std::size_t each : {0U, 1U})
        if (const std::string why = why_not(counters, each); !why.empty()) GTEST_SKIP() << why;
    const std::int64_t begin_ns = core::wall_clock_ns();
    const auto counts = counts_of(counters, WorkKind::kFreshPages);
    const std::int64_t wall_ns = core::wall_clock_ns() - begin_ns;
    ASSERT_EQ(counts.size(), 3U);
    EXPECT_GT(counts[0], 0);
    EXPECT_LE(counts[0], wall_ns);
    EXPECT_GE(counts[1], 100);
    EXPECT_LT(counts[1], 120);
    EXPECT_GE(counts_of(counters, WorkKind::kSleep)[2], 1);
}

TEST(LinuxCounters, CountInFullEachTimeTheirPassIsActivated) {
    CounterSet counters = CounterSet::open({task_clock(), page_faults()}, linux_kernel());
    for (const std::size_t each : {0U, 1U})
        if (const std::string why = why_not(counters, each); !why.empty()) GTEST_SKIP() << why;
    for (int visit = 0; visit < 5; ++visit) {
        EXPECT_GE(counts_of(counters, WorkKind::kFreshPages)[1], 100) << "visit " << visit;
        counters.deactivate();
    }
}

TEST(LinuxCounters, OfTheKernelPassTheSelfTest) {
    CounterSet counters = CounterSet::open({task_clock(), page_faults(), switches()}, linux_kernel());
    for (const std::size_t each : {0U, 1U})
        if (const std::string why = why_not(counters, each); !why.empty()) GTEST_SKIP() << why;
    self_test(counters);
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_EQ(counters.counters().outcomes[i].state, CounterState::kMeasured) << why_not(counters, i);
}

TEST(LinuxCounters, ThatReadAFalseZeroAreFoundByTheSelfTest) {
    // Without the kernel's part perf_event_open counts no context switches, as they happen in the kernel.
    CounterSet counters = CounterSet::open(
        {request("perf::CS", CounterRole::kContextSwitches, CounterSource::kSoftware, PERF_COUNT_SW_CONTEXT_SWITCHES)},
        linux_kernel());
    if (const std::string why = why_not(counters, 0); !why.empty()) GTEST_SKIP() << why;
    self_test(counters);
    EXPECT_EQ(counters.counters().outcomes[0].state, CounterState::kSuspect);
}

TEST(LinuxCounters, OfAMachineWithoutPmuAreRefusedWithTheReason) {
    // Not by /sys, which a container may lack, but as the kernel has it.
    const int descriptor = open_plain_counter(PERF_COUNT_HW_CPU_CYCLES);
    const int error = descriptor < 0 ? errno : 0;
    if (descriptor >= 0) ::close(descriptor);
    if (error != ENOENT) GTEST_SKIP() << "this machine has a PMU, or counts nothing: error " << error;
    const CounterSet counters = CounterSet::open({cycles(), task_clock(), instructions()}, linux_kernel());
    if (const std::string why = why_not(counters, 1); !why.empty()) GTEST_SKIP() << why;
    for (const std::size_t each : {0U, 2U}) EXPECT_EQ(why_not(counters, each), "ENOENT: this machine exposes no PMU");
    EXPECT_EQ(counters.counters().passes, (std::vector<std::vector<std::size_t>>{{1}}));
}

TEST(LinuxCounters, OfAPmuPassTheSelfTest) {
    const auto pin = CpuPin::pin(::sched_getcpu());  // cores of a hybrid CPU have counters of their own
    CounterSet counters = CounterSet::open({cycles(), instructions()}, linux_kernel());
    for (const std::size_t each : {0U, 1U})
        if (const std::string why = why_not(counters, each); !why.empty()) GTEST_SKIP() << why;
    for (const std::uint64_t each : {PERF_COUNT_HW_CPU_CYCLES, PERF_COUNT_HW_INSTRUCTIONS})
        if (!counts_the_loop(each))
            GTEST_SKIP() << "hardware event " << each << " opens and does not count on this CPU";
    self_test(counters);
    for (std::size_t i = 0; i < 2; ++i)
        EXPECT_EQ(counters.counters().outcomes[i].state, CounterState::kMeasured) << why_not(counters, i);
}

TEST(LinuxCounters, WithExhaustedDescriptorsAreRefusedWithTheLimitAndLeaveNoneOpen) {
    const std::size_t before = descriptors_in_use();
    {
        CounterSet probe = CounterSet::open({task_clock()}, linux_kernel());
        if (const std::string why = why_not(probe, 0); !why.empty()) GTEST_SKIP() << why;
        EXPECT_EQ(descriptors_in_use(), before + 1);
    }
    EXPECT_EQ(descriptors_in_use(), before);
    rlimit old{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &old), 0);
    const int lowest_free = ::dup(0);
    ::close(lowest_free);
    rlimit low = old;
    low.rlim_cur = static_cast<rlim_t>(lowest_free) + 1;
    // Read beforehand: with one descriptor left its files cannot be read together.
    CountingSurroundings surroundings = counting_surroundings();
    surroundings.descriptor_limit = low.rlim_cur;
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &low), 0);
    const CounterSet counters = CounterSet::open({task_clock(), page_faults()}, linux_kernel(), surroundings);
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &old), 0);
    EXPECT_EQ(counters.counters().outcomes[0].state, CounterState::kMeasured);
    EXPECT_EQ(why_not(counters, 1),
              "EMFILE: this process has no file descriptor left (limit " + std::to_string(low.rlim_cur) + ")");
}

}  // namespace
}  // namespace tare::pmu
