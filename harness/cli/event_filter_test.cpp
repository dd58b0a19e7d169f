// At stake: `bench pmu list l2` on a server prints the dozen events about the L2 with their masks, not 300 events and
// not none.
#include "harness/cli/event_filter.h"

#include <gmock/gmock.h>

namespace tare::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::vector<core::EventDescription> kEvents = {
    {"cycles", "core cycles while not halted", "skx::UNHALTED_CORE_CYCLES", {}},
    {"perf::FAULTS", "", "PERF_COUNT_SW_PAGE_FAULTS", {}},
    {"skx::L2_RQSTS", "Requests", "", {{"MISS", "All that miss"}, {"REFERENCES", "All requests"}}},
    {"skx::OFFCORE", "Memory", "", {{"L2_MISS", "x"}, {"ANY", "any data of the L2 cache"}, {"L3", "y"}}},
};

std::vector<std::string> names_of(const std::string& pattern) {
    const core::Expected<std::vector<core::EventDescription>> events = matching_events(kEvents, pattern);
    EXPECT_TRUE(events) << pattern;
    std::vector<std::string> names;
    for (const core::EventDescription& event : events.value_or(std::vector<core::EventDescription>{})) {
        names.push_back(event.name);
        for (const core::EventAttribute& mask : event.masks) names.push_back(":" + mask.name);
    }
    return names;
}

TEST(EventFilter, IsSearchedInNamesDescriptionsAndSynonyms) {
    EXPECT_THAT(names_of("FAULT"), ElementsAre("perf::FAULTS"));
    EXPECT_THAT(names_of("not halted"), ElementsAre("cycles"));
    EXPECT_THAT(names_of("page.faults"), ElementsAre("perf::FAULTS"));
    EXPECT_THAT(names_of("CYCLES$"), ElementsAre("cycles")) << "case does not matter";
}

TEST(EventFilter, ShowsAnEventWithAllItsMasksOrOnlyThoseThatMatch) {
    EXPECT_THAT(names_of("l2"),
                ElementsAre("skx::L2_RQSTS", ":MISS", ":REFERENCES", "skx::OFFCORE", ":L2_MISS", ":ANY"));
    EXPECT_THAT(names_of("offcore:l3"), ElementsAre("skx::OFFCORE", ":L3"));
}

TEST(EventFilter, ThatIsEmptySelectsAllAndOneThatMatchesNothingNone) {
    EXPECT_EQ(*matching_events(kEvents, ""), kEvents);
    EXPECT_THAT(names_of("nonsense"), IsEmpty());
}

TEST(EventFilter, ThatIsNoRegularExpressionIsAnError) {
    const core::Expected<std::vector<core::EventDescription>> events = matching_events(kEvents, "a(");
    ASSERT_FALSE(events);
    EXPECT_EQ(events.error().code, core::ErrorCode::kUsage);
    EXPECT_THAT(events.error().what, HasSubstr("'a(' is no regular expression"));
}

}  // namespace
}  // namespace tare::cli
