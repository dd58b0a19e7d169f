// At stake: a counter's 64-bit code, and why another has none, on their way between two processes.
#include "harness/core/counter_message.h"

#include <gmock/gmock.h>

namespace tare::core {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

const std::vector<CounterRequest> kSentRequests = {
    {.name = "instructions",
     .role = CounterRole::kInstructions,
     .source = CounterSource::kHardware,
     .event = "skx::INSTRUCTION_RETIRED",
     .pmu = "cpu",
     .type = 4,
     .config = 0xffff'ffff'0000'00c0,
     .config1 = 0x8000'0000'0000'0001,
     .config2 = 7,
     .kernel = true,
     .problem = std::nullopt},
    {.name = "llc_misses",
     .role = CounterRole::kLlcMisses,
     .source = CounterSource::kUsage,
     .event = {},
     .pmu = {},
     .problem = CounterProblem{"ENOENT", "the L3 counts for all cores", "count l2_misses"}},
};

TEST(CounterMessage, RequestsComeBackAsTheyWereSentDownToTheHighestBit) {
    EXPECT_EQ(counter_requests(message_of(kSentRequests)), kSentRequests);
}

TEST(CounterMessage, OutcomesAndPassesComeBackAsTheyWereSent) {
    const OpenCounters sent{
        .outcomes = {{CounterState::kMeasured, std::nullopt, 25},
                     {CounterState::kSuspect, CounterProblem{"", "read 0 of 4096", "do not trust it"}, 0}},
        .passes = {{0, 1}, {1}}};
    EXPECT_EQ(open_counters(message_of(sent), 2), sent);
}

TEST(CounterMessage, APassThatNamesACounterNobodyAskedForIsLeftOut) {
    OpenCounters sent{.outcomes = {}, .passes = {{0, 7}, {}, {0}}};
    const OpenCounters received = open_counters(message_of(sent), 1);
    EXPECT_THAT(received.passes, ElementsAre(ElementsAre(std::size_t{0})));
    ASSERT_THAT(received.outcomes, SizeIs(1));
    EXPECT_EQ(received.outcomes[0].state, CounterState::kUnavailable) << "an outcome that was not sent";
}

TEST(CounterMessage, ABatchsCountsComeBackWithTheirTimes) {
    const BatchCounts sent{.pass = 3, .enabled_ns = 1000, .running_ns = 900, .counts = {{5}, {-2}}};
    EXPECT_EQ(batch_counts(message_of(sent), 3, 2), sent);
}

TEST(CounterMessage, CountsOfAnotherNumberOfCountersAreNotReadable) {
    const BatchCounts sent{.pass = 0, .enabled_ns = 1000, .running_ns = 900, .counts = {{5}}};
    EXPECT_THAT(batch_counts(message_of(sent), 0, 2).counts, IsEmpty());
    EXPECT_THAT(batch_counts(Value(), 0, 0).counts, IsEmpty());
}

}  // namespace
}  // namespace tare::core
