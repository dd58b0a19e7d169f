// Number at stake: 1 %. Ten unpinned events share six counters, each counts some 60 % of the time, and core::scaled
// makes of it what there really was. Whoever forgets the times reports 60 % as the truth.
#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "harness/core/count_arithmetic.h"
#include "pmu/emulated/counting_machine.h"
#include "pmu/emulated/known_loop.h"
#include "pmu/emulated/raw_event.h"

namespace tare::pmu::emulated {
namespace {

using testing::AllOf;
using testing::Gt;
using testing::Lt;
using testing::Ne;
using testing::SizeIs;

// The kernel rotates every 4 ms: after 400 of the guest's ms each event has had its turn many times.
constexpr std::uint64_t kIterations = 200'000'000;

TEST_F(EmulatedMachine, MultiplexedEventsReadLessAndScaleToTheTruth) {
    std::vector<RawEvent> events;
    for (int i = 0; i < 10; ++i) {
        events.emplace_back(kInstRetired, RawEvent::Kind::kMultiplexed);
        ASSERT_GE(events.back().descriptor(), 0);
    }
    std::vector<core::GroupReading> before;
    for (const RawEvent& event : events) before.push_back(event.read());
    tare_known_loop(kIterations);
    constexpr double kTruth = 2.0 * kIterations;
    double lowest = kTruth, highest = 0, least_raw = kTruth, most_raw = 0;
    for (std::size_t i = 0; i < events.size(); ++i) {
        const core::GroupReading after = events[i].read();
        ASSERT_THAT(after.values, SizeIs(1));
        const std::uint64_t enabled = after.enabled_ns - before[i].enabled_ns;
        const std::uint64_t running = after.running_ns - before[i].running_ns;
        const core::RawCount raw{static_cast<std::int64_t>(after.values[0] - before[i].values[0])};
        EXPECT_LT(running, enabled);
        EXPECT_LT(static_cast<double>(raw.value), 0.8 * kTruth) << "not multiplexed";
        const auto scaled = core::scaled(raw, enabled, running);
        ASSERT_THAT(scaled, Ne(std::nullopt));
        EXPECT_NEAR(scaled->value, kTruth, 0.01 * kTruth) << "event " << i;
        lowest = std::min(lowest, scaled->value);
        highest = std::max(highest, scaled->value);
        least_raw = std::min(least_raw, static_cast<double>(raw.value));
        most_raw = std::max(most_raw, static_cast<double>(raw.value));
    }
    fmt::print("figure: 10 events on 6 counters: raw {:.1f} to {:.1f} % of the truth, scaled {:+.2f} to {:+.2f} %\n",
               100 * least_raw / kTruth, 100 * most_raw / kTruth, 100 * (lowest / kTruth - 1),
               100 * (highest / kTruth - 1));
}

TEST_F(EmulatedMachine, PinnedGroupCountsAllOfTheTimeAmongMultiplexedEvents) {
    CounterSet set = CounterSet::open({cycles(), instructions()}, linux_kernel());
    ASSERT_THAT(set.counters().passes, SizeIs(1)) << described(set);
    std::vector<RawEvent> events;
    for (int i = 0; i < 10; ++i) events.emplace_back(kInstRetired, RawEvent::Kind::kMultiplexed);
    const auto gross = counted(set, 0, tare_known_loop, 20'000'000);
    ASSERT_THAT(gross, SizeIs(2));
    EXPECT_EQ(set.difference().running_ns, set.difference().enabled_ns);
    EXPECT_THAT(gross[1], AllOf(Gt(40'000'000), Lt(40'000'100)));
}

}  // namespace
}  // namespace tare::pmu::emulated
