// Number at stake: none. What the kernel refuses has no number: an event that the core lacks, kernel counting that the
// paranoid level forbids, descriptors that are used up, a machine without PMU. Here it is the real kernel that refuses.
#include <linux/perf_event.h>
#include <sys/resource.h>

#include <algorithm>

#include "pmu/core_pmu.h"
#include "pmu/counter_refusal.h"
#include "pmu/emulated/counting_machine.h"
#include "pmu/emulated/known_loop.h"

namespace tare::pmu::emulated {
namespace {

using core::CounterState;
using testing::AnyOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

core::CounterRequest absent_cache_event() {
    return {.name = "cache-misses",
            .event = "perf::CACHE_MISSES",
            .type = PERF_TYPE_HARDWARE,
            .config = PERF_COUNT_HW_CACHE_MISSES};
}

TEST_F(EmulatedMachine, EventThatTheCoreLacksIsUnavailableAndCostsOnlyItself) {
    CounterSet set = CounterSet::open({absent_cache_event(), cycles(), instructions()}, linux_kernel());
    const core::CounterOutcome& absent = set.counters().outcomes[0];
    ASSERT_EQ(absent.state, CounterState::kUnavailable);
    ASSERT_TRUE(absent.problem);
    EXPECT_EQ(absent.problem->errno_name, "ENOENT");
    EXPECT_THAT(absent.problem->reason, Not(HasSubstr("no PMU"))) << "the machine has one";
    ASSERT_THAT(set.counters().passes, SizeIs(1)) << described(set);
    EXPECT_THAT(names_of(set, 0), ElementsAre("cycles", "instructions"));
    EXPECT_THAT(counted(set, 0, tare_known_loop, 10), SizeIs(2));
}

/// The limit of descriptors at what the process has open, for one scope.
class NoDescriptors {
  public:
    NoDescriptors() {
        getrlimit(RLIMIT_NOFILE, &old_);
        rlimit none = old_;
        none.rlim_cur = 0;
        setrlimit(RLIMIT_NOFILE, &none);
    }
    NoDescriptors(const NoDescriptors&) = delete;
    NoDescriptors& operator=(const NoDescriptors&) = delete;
    ~NoDescriptors() { setrlimit(RLIMIT_NOFILE, &old_); }

  private:
    rlimit old_{};
};

TEST_F(EmulatedMachine, ExhaustedDescriptorsAreNamed) {
    std::vector<CounterSet> sets;
    {
        const NoDescriptors limit;
        sets.push_back(CounterSet::open({instructions()}, linux_kernel()));
    }
    const core::CounterOutcome& outcome = sets.front().counters().outcomes[0];
    ASSERT_EQ(outcome.state, CounterState::kUnavailable);
    ASSERT_TRUE(outcome.problem);
    EXPECT_EQ(outcome.problem->errno_name, "EMFILE");
    EXPECT_THAT(outcome.problem->reason + outcome.problem->hint, HasSubstr("ulimit -n"));
}

TEST_F(NoPmu, HardwareCountersAreUnavailableWithTheReason) {
    const CounterSet set = CounterSet::open({cycles(), instructions(), raw("r8", kInstRetired)}, linux_kernel());
    EXPECT_THAT(set.counters().passes, IsEmpty());
    for (const core::CounterOutcome& outcome : set.counters().outcomes) {
        EXPECT_EQ(outcome.state, CounterState::kUnavailable);
        ASSERT_TRUE(outcome.problem);
        // EPERM where the tests run in a container that forbids the call itself
        EXPECT_THAT(outcome.problem->errno_name, AnyOf("ENOENT", "EPERM"));
        if (outcome.problem->errno_name == "ENOENT") EXPECT_THAT(outcome.problem->reason, HasSubstr("no PMU"));
    }
}

TEST_F(NoPmu, SoftwareCountersCountAllTheSame) {
    CounterSet set = CounterSet::open({cycles(), task_clock()}, linux_kernel());
    if (set.counters().outcomes[1].state == CounterState::kUnavailable)
        GTEST_SKIP() << "the kernel refuses software counters, too: " << described(set);
    ASSERT_THAT(set.counters().passes, SizeIs(1)) << described(set);
    EXPECT_THAT(names_of(set, 0), ElementsAre("task_clock"));
    const auto gross = counted(set, 0, tare_known_loop, 1'000'000);
    ASSERT_THAT(gross, SizeIs(1));
    EXPECT_GT(gross[0], 100'000) << "ns of a million iterations";
}

}  // namespace
}  // namespace tare::pmu::emulated
