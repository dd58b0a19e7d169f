// At stake: what a person reads of counters that do not work: each reason once, beside what would change it, and never
// a 0 where nothing was counted.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "harness/record/counter_check.h"
#include "harness/record/event_list.h"
#include "harness/record/golden.h"

namespace tare::record {
namespace {

using testing::HasSubstr;
using testing::Not;

core::CounterRequest request(core::CounterRole role, core::CounterSource source, std::string event) {
    core::CounterRequest made;
    made.name = core::name_of(role);
    made.role = role;
    made.source = source;
    made.event = std::move(event);
    return made;
}

/// A Zen with a PMU whose default set takes two passes, with one counter of every state.
CounterCheck sample_check() {
    using core::CounterRole;
    using core::CounterSource;
    const core::CounterProblem no_l3{"", "the L3 counts for all cores together (amd_l3)", "r4844 counts fills"};
    const core::CounterProblem suspect{"", "read 0 where 1,000,000 happened", "do not use it"};
    const core::CounterProblem denied{"EACCES", "perf_event_paranoid is 3", "sysctl kernel.perf_event_paranoid=2"};
    CounterCheck check;
    check.cpu = 3;
    check.pmu = "cpu";
    check.requests = {
        request(CounterRole::kCycles, CounterSource::kHardware, "amd64_fam19h_zen4::CYCLES_NOT_IN_HALT"),
        request(CounterRole::kInstructions, CounterSource::kHardware, "amd64_fam19h_zen4::RETIRED_INSTRUCTIONS"),
        request(CounterRole::kBranches, CounterSource::kHardware, "amd64_fam19h_zen4::RETIRED_BRANCH_INSTRUCTIONS"),
        request(CounterRole::kLlcMisses, CounterSource::kHardware, ""),
        request(CounterRole::kPageFaults, CounterSource::kSoftware, "perf::PERF_COUNT_SW_PAGE_FAULTS"),
        request(CounterRole::kMajorFaults, CounterSource::kSoftware, "perf::PERF_COUNT_SW_PAGE_FAULTS_MAJ"),
        request(CounterRole::kContextSwitches, CounterSource::kUsage, "ru_nvcsw + ru_nivcsw"),
    };
    check.counters.outcomes = {
        {core::CounterState::kMeasured, std::nullopt, 24}, {core::CounterState::kPartial, suspect, 0},
        {core::CounterState::kSuspect, suspect, 0},        {core::CounterState::kUnavailable, no_l3, 0},
        {core::CounterState::kUnavailable, denied, 0},     {core::CounterState::kUnavailable, denied, 0},
        {core::CounterState::kMeasured, std::nullopt, 0},
    };
    check.counters.passes = {{0, 1, 6}, {0, 1, 2}};
    return check;
}

/// What the other kind of guest shows: nothing but the kernel's counters.
CounterCheck guest_check() {
    CounterCheck check = sample_check();
    check.cpu = 0;
    check.pmu = "";
    check.kernel = true;
    const core::CounterProblem no_pmu{"ENOENT", "this machine exposes no PMU", "run on bare metal"};
    for (std::size_t i = 0; i < 4; ++i) check.counters.outcomes[i] = {core::CounterState::kUnavailable, no_pmu, 0};
    for (std::size_t i = 4; i < 7; ++i) check.counters.outcomes[i] = {core::CounterState::kMeasured, std::nullopt, 0};
    check.counters.passes = {{4, 5, 6}};
    return check;
}

std::vector<core::EventDescription> sample_events() {
    return {
        {"instructions", "instructions retired", "skx::INSTRUCTION_RETIRED", {}},
        {"perf::CYCLES", "", "PERF_COUNT_HW_CPU_CYCLES", {}},
        {"perf::PERF_COUNT_HW_CPU_CYCLES", "", "", {}},
        {"skx::L2_RQSTS",
         "Requests to the L2, \"all\" | some",
         "",
         {{"MISS", "All requests that miss L2 cache, of code and of data, prefetches of the L1 included"},
          {"A_MASK_WITH_A_NAME_THAT_IS_LONGER_THAN_ANY_COLUMN", "And its description"}}},
    };
}

TEST(CounterCheck, TellsEveryReasonOnceBelowTheTable) {
    expect_golden("counter_check.txt", print_counter_check(sample_check(), 0, {}));
    expect_golden("counter_check_guest.txt", print_counter_check(guest_check(), 0, {}));
}
TEST(CounterCheck, ShortensEventsToTheWidth) {
    expect_golden("counter_check_80.txt", print_counter_check(sample_check(), 80, {}));
    const std::string narrow = print_counter_check(sample_check(), 50, {});
    EXPECT_THAT(narrow, Not(HasSubstr("CYCLES_NOT_IN_HALT")));
    EXPECT_THAT(narrow, HasSubstr("unavailable (2)"));
}
TEST(CounterCheck, AsMarkdownAndCsv) {
    expect_golden("counter_check.md", print_counter_check_markdown(sample_check()));
    expect_golden("counter_check.csv", print_counter_check_csv(sample_check()));
}
TEST(CounterCheck, InJsonHasNullsForWhatIsNot) {
    const nlohmann::json sample = nlohmann::json::parse(print_counter_check_json(sample_check()));
    ASSERT_EQ(sample["counters"].size(), 7u);
    EXPECT_EQ(sample["pmu"], "cpu");
    EXPECT_EQ(sample["passes"], 2);
    EXPECT_EQ(sample["counters"][0]["passes"], nlohmann::json({0, 1}));
    EXPECT_EQ(sample["counters"][0]["problem"], nullptr);
    EXPECT_EQ(sample["counters"][0]["reading_cost"], 24);
    EXPECT_EQ(sample["counters"][3]["state"], "unavailable");
    EXPECT_EQ(sample["counters"][3]["problem"]["errno"], nullptr);
    EXPECT_EQ(sample["counters"][4]["problem"]["errno"], "EACCES");
    EXPECT_EQ(sample["counters"][4]["passes"], nlohmann::json::array());
    EXPECT_EQ(sample["counters"][4]["reading_cost"], nullptr);
    EXPECT_EQ(nlohmann::json::parse(print_counter_check_json(guest_check()))["pmu"], nullptr);
}

TEST(EventList, IndentsMasksAndWrapsDescriptions) {
    expect_golden("event_list.txt", print_event_table(sample_events(), 0));
    expect_golden("event_list_60.txt", print_event_table(sample_events(), 60));
}
TEST(EventList, AsMarkdownCsvAndJson) {
    expect_golden("event_list.md", print_event_markdown(sample_events()));
    expect_golden("event_list.csv", print_event_csv(sample_events()));
    const nlohmann::json list = nlohmann::json::parse(print_event_json(sample_events()));
    EXPECT_EQ(list["events"][3]["masks"][0]["name"], "MISS");
    EXPECT_EQ(list["events"][0]["equivalent"], "skx::INSTRUCTION_RETIRED");
}

}  // namespace
}  // namespace tare::record
