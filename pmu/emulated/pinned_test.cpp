// Number at stake: a 0 that nobody counted. A pinned group that finds no counter free is in error: the kernel then
// answers a read with 0 bytes. Such a counter is unavailable, or its batch has no counts; a number it must never be.
#include <vector>

#include "pmu/emulated/counting_machine.h"
#include "pmu/emulated/known_loop.h"
#include "pmu/emulated/raw_event.h"

namespace tare::pmu::emulated {
namespace {

using core::CounterState;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// Another user of the PMU, who holds so many of its six programmable counters.
class Rival {
  public:
    Rival(RawEvent::Kind kind, int counters) {
        events_.emplace_back(kInstRetired, kind);
        while (static_cast<int>(events_.size()) < counters)
            events_.emplace_back(kInstRetired, kind, events_.front().descriptor());
    }
    [[nodiscard]] bool counts() const { return !events_.front().read().values.empty(); }

  private:
    std::vector<RawEvent> events_;
};

/// In the same thread, where the first to come has its counters.
class ThreadRival : public Rival {
  public:
    explicit ThreadRival(int counters) : Rival(RawEvent::Kind::kPinnedForThread, counters) {}
};

/// On the whole CPU, and so before all threads, even those that were there first.
class CpuRival : public Rival {
  public:
    explicit CpuRival(int counters) : Rival(RawEvent::Kind::kPinnedForCpu, counters) {}
};

TEST_F(EmulatedMachine, RivalWithAllCountersLeavesNoneAndTheReasonSaysSo) {
    const ThreadRival rival(6);
    ASSERT_TRUE(rival.counts());
    const CounterSet set = CounterSet::open({raw("wanted", kInstRetired)}, linux_kernel());
    EXPECT_THAT(set.counters().passes, IsEmpty());
    ASSERT_EQ(set.counters().outcomes[0].state, CounterState::kUnavailable) << described(set);
    ASSERT_TRUE(set.counters().outcomes[0].problem);
    EXPECT_THAT(set.counters().outcomes[0].problem->reason, HasSubstr("schedul"));
}

TEST_F(EmulatedMachine, RivalWithFourCountersMakesPassesOfWhatIsLeft) {
    const ThreadRival rival(4);
    ASSERT_TRUE(rival.counts());
    CounterSet set = CounterSet::open(
        {cycles(), instructions(), raw("more-1", kInstRetired), raw("more-2", kInstRetired)}, linux_kernel());
    ASSERT_THAT(set.counters().passes, SizeIs(2)) << described(set);
    EXPECT_THAT(names_of(set, 0), ElementsAre("cycles", "instructions", "more-1"));
    EXPECT_THAT(names_of(set, 1), ElementsAre("cycles", "instructions", "more-2"));
    for (std::size_t pass = 0; pass < 2; ++pass)
        EXPECT_THAT(counted(set, pass, tare_known_loop, 1'000), SizeIs(3)) << "pass " << pass;
}

TEST_F(EmulatedMachine, BatchesUnderARivalHaveNoCountsAndTheNextOnesDo) {
    CounterSet set = CounterSet::open({raw("wanted", kInstRetired)}, linux_kernel());
    ASSERT_THAT(counted(set, 0, tare_known_loop, 1'000), SizeIs(1)) << described(set);
    {
        const CpuRival rival(6);
        ASSERT_TRUE(rival.counts());
        EXPECT_THAT(counted(set, 0, tare_known_loop, 1'000), IsEmpty());
    }
    EXPECT_THAT(counted(set, 0, tare_known_loop, 1'000), SizeIs(1)) << "the rival has gone";
}

TEST_F(EmulatedMachine, RivalThatComesInTheMiddleOfABatchCostsItsCounts) {
    CounterSet set = CounterSet::open({raw("wanted", kInstRetired)}, linux_kernel());
    ASSERT_TRUE(set.activate(0));
    set.read_before();
    tare_known_loop(1'000);
    {
        const CpuRival rival(6);
        ASSERT_TRUE(rival.counts());
        tare_known_loop(1'000);
    }
    set.read_after();
    EXPECT_THAT(set.difference().counts, IsEmpty()) << "half of the batch was not counted";
    set.read_before();
    tare_known_loop(1'000);
    set.read_after();
    EXPECT_THAT(set.difference().counts, IsEmpty()) << "a pinned group in error stays so until it is enabled again";
    set.deactivate();
    EXPECT_THAT(counted(set, 0, tare_known_loop, 1'000), SizeIs(1));
}

}  // namespace
}  // namespace tare::pmu::emulated
