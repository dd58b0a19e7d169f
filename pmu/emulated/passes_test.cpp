// Number at stake: six. So many programmable counters has the emulated PMU, besides the one of cycles: what is beyond
// them gets a pass of its own with cycles and instructions in it again, and every counter of every pass reads the same
// loop.
#include <fmt/core.h>

#include "pmu/emulated/counting_machine.h"
#include "pmu/emulated/known_loop.h"

namespace tare::pmu::emulated {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::Optional;
using testing::SizeIs;

/// Cycles, instructions and `others` more counters of retired instructions, which read what the second one reads.
std::vector<core::CounterRequest> with_others(int others) {
    std::vector<core::CounterRequest> requests = {cycles(), instructions()};
    for (int i = 1; i <= others; ++i) requests.push_back(raw(fmt::format("more-{}", i), kInstRetired));
    return requests;
}

/// That each counter of each pass reads exactly the loop.
void expect_exact(CounterSet& set) {
    for (std::size_t pass = 0; pass < set.counters().passes.size(); ++pass) {
        (void)counted(set, pass, tare_known_loop, 10);
        const auto empty = counted(set, pass, tare_empty_call, 5'000);
        const auto gross = counted(set, pass, tare_known_loop, 5'000);
        const auto names = names_of(set, pass);
        ASSERT_THAT(gross, SizeIs(names.size())) << "pass " << pass;
        ASSERT_THAT(empty, SizeIs(names.size())) << "pass " << pass;
        for (std::size_t i = 0; i < names.size(); ++i)
            EXPECT_EQ(gross[i] - empty[i], 10'000) << names[i] << " in pass " << pass;
    }
}

TEST_F(EmulatedMachine, SixProgrammableCountersAndCyclesFitIntoOnePass) {
    CounterSet set = CounterSet::open(with_others(5), linux_kernel());
    ASSERT_THAT(set.counters().passes, SizeIs(1)) << described(set);
    EXPECT_THAT(names_of(set, 0),
                ElementsAre("cycles", "instructions", "more-1", "more-2", "more-3", "more-4", "more-5"));
    expect_exact(set);
}

TEST_F(EmulatedMachine, TheSeventhOpensAPassThatBeginsWithCyclesAndInstructions) {
    CounterSet set = CounterSet::open(with_others(6), linux_kernel());
    ASSERT_THAT(set.counters().passes, SizeIs(2)) << described(set);
    EXPECT_THAT(names_of(set, 0), SizeIs(7));
    EXPECT_THAT(names_of(set, 1), ElementsAre("cycles", "instructions", "more-6"));
    expect_exact(set);
}

TEST_F(EmulatedMachine, ManyCountersTakeAsManyPassesAsTheyNeed) {
    CounterSet set = CounterSet::open(with_others(12), linux_kernel());
    ASSERT_THAT(set.counters().passes, SizeIs(3)) << described(set);
    for (std::size_t pass = 0; pass < 3; ++pass) {
        EXPECT_EQ(names_of(set, pass).at(0), "cycles");
        EXPECT_EQ(names_of(set, pass).at(1), "instructions");
    }
    expect_exact(set);
    fmt::print("figure: 14 counters on 7: {} passes, each counter exact in each\n", set.counters().passes.size());
}

TEST_F(EmulatedMachine, SoftwareCountersTakeNoPlaceOfTheHardwares) {
    auto requests = with_others(5);
    requests.push_back(task_clock());
    CounterSet set = CounterSet::open(requests, linux_kernel());
    ASSERT_THAT(set.counters().passes, SizeIs(1)) << described(set);
    const auto gross = counted(set, 0, tare_known_loop, 1'000'000);
    ASSERT_THAT(gross, SizeIs(8)) << described(set);
    EXPECT_GE(gross.back(), 2'000'000) << "ns: an instruction takes one";
}

}  // namespace
}  // namespace tare::pmu::emulated
