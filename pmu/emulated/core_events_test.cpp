// Number at stake: eight roles, each with the event of this very core: what a run without a list counts. On QEMU's
// Neoverse N1 libpfm detects the core by itself; the roles beyond cycles and instructions it has no events for, and the
// self-test says so.
#include <fmt/core.h>

#include <algorithm>

#include "pmu/core_pmu.h"
#include "pmu/counter_choice.h"
#include "pmu/emulated/counting_machine.h"
#include "pmu/emulated/known_loop.h"
#include "pmu/event_catalogue.h"
#include "pmu/self_test.h"

namespace tare::pmu::emulated {
namespace {

using core::CounterRole;
using core::CounterState;
using testing::Contains;
using testing::Field;
using testing::StartsWith;

class Neoverse : public EmulatedMachine {};

TEST_F(EmulatedMachine, DefaultsOfACoreThatNoTableKnowsCountCyclesAndInstructions) {
    const auto choice = choose_counters("cycles,instructions", /*kernel=*/false, core_cpu(0));
    ASSERT_TRUE(choice) << choice.error().what;
    CounterSet set = CounterSet::open(choice->counters, linux_kernel());
    self_test(set);
    ASSERT_EQ(set.counters().passes.size(), 1U) << described(set);
    const auto empty = counted(set, 0, tare_empty_call, 1'000);
    const auto gross = counted(set, 0, tare_known_loop, 1'000);
    ASSERT_EQ(gross.size(), 2U);
    EXPECT_EQ(gross[1] - empty[1], 2'000);
}

TEST_F(Neoverse, LibpfmDetectsTheCore) {
    const auto events = known_events();
    ASSERT_TRUE(events) << events.error().what;
    EXPECT_THAT(*events, Contains(Field(&EventDescription::name, StartsWith("arm_n1::"))));
    EXPECT_EQ(core_cpu(0).vendor, "0x41");
    EXPECT_EQ(core_cpu(0).model, 0xd0c);
    ASSERT_TRUE(core_cpu(0).pmu);
    EXPECT_THAT(core_cpu(0).pmu->name, StartsWith("armv8_pmuv3"));
}

TEST_F(Neoverse, DefaultSetCountsWhatTheCoreHasAndSuspectsTheRest) {
    const auto choice = choose_counters("default", /*kernel=*/false, core_cpu(0));
    ASSERT_TRUE(choice) << choice.error().what;
    CounterSet set = CounterSet::open(choice->counters, linux_kernel());
    self_test(set);
    fmt::print("figure: {} counters by default in {} passes\n", set.requests().size(), set.counters().passes.size());
    for (std::size_t i = 0; i < set.requests().size(); ++i) {
        const core::CounterRequest& request = set.requests()[i];
        const core::CounterOutcome& outcome = set.counters().outcomes[i];
        fmt::print("figure: {:<17} {:<28} {}\n", request.name, request.event, core::name_of(outcome.state));
        const bool emulated_event = request.role == CounterRole::kCycles || request.role == CounterRole::kInstructions;
        const bool counts = emulated_event || request.source != core::CounterSource::kHardware;
        EXPECT_EQ(outcome.state, counts ? CounterState::kMeasured : CounterState::kSuspect) << described(set);
    }
    EXPECT_GT(set.counters().passes.size(), 1U) << "eight events are more than six counters and that of cycles";
}

TEST_F(Neoverse, EventNamedAsLibpfmNamesItReadsTheLoop) {
    const auto choice = choose_counters("arm_n1::INST_RETIRED", /*kernel=*/false, core_cpu(0));
    ASSERT_TRUE(choice) << choice.error().what;
    CounterSet set = CounterSet::open(choice->counters, linux_kernel());
    const auto empty = counted(set, 0, tare_empty_call, 50'000);
    const auto gross = counted(set, 0, tare_known_loop, 50'000);
    ASSERT_EQ(gross.size(), 1U) << described(set);
    EXPECT_EQ(gross[0] - empty[0], 100'000);
}

}  // namespace
}  // namespace tare::pmu::emulated
