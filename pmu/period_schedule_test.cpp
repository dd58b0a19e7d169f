// At stake: a rate of 1,000 a second that is 1,000 and not 960, however late the handler runs; and weights that add up
// to the time that passed.
#include "pmu/period_schedule.h"

#include <gmock/gmock.h>

#include <random>

namespace tare::pmu {
namespace {

using ::testing::AllOf;
using ::testing::Ge;
using ::testing::Le;

constexpr std::int64_t kMeanNs = 1'000'000;

/// A timer that repeats with what it was armed with, and a handler that comes some time after.
struct SimulatedClock {
    PeriodSchedule schedule;
    std::int64_t now_ns = 0;
    std::int64_t weights_ns = 0;
    std::int64_t samples = 0;

    explicit SimulatedClock(std::uint64_t seed) : schedule(kMeanNs, seed) { schedule.begin(0); }
    void tick(std::int64_t delay_ns) {
        now_ns = schedule.due_ns() + delay_ns;
        const PeriodSchedule::Tick tick = schedule.tick(now_ns);
        weights_ns += tick.period_ns + tick.repeats_ns;
        ++samples;
    }
};

TEST(PeriodSchedule, keeps_its_mean_however_late_the_handler_is_within_a_period) {
    std::mt19937_64 random(1);
    for (const std::int64_t most_late_ns : {1L, 10'000L, 100'000L, 300'000L}) {
        SimulatedClock clock(random());
        for (int i = 0; i < 20'000; ++i) clock.tick(static_cast<std::int64_t>(random() % most_late_ns));
        const double mean_ns = static_cast<double>(clock.now_ns) / static_cast<double>(clock.samples);
        EXPECT_NEAR(mean_ns / kMeanNs, 1.0, 0.005) << "up to " << most_late_ns << " ns late";
    }
}

TEST(PeriodSchedule, weights_add_up_to_the_time_that_passed_also_over_long_delays) {
    std::mt19937_64 random(2);
    SimulatedClock clock(3);
    for (int i = 0; i < 5'000; ++i) clock.tick(static_cast<std::int64_t>(random() % 7'000'000));
    EXPECT_NEAR(static_cast<double>(clock.weights_ns), static_cast<double>(clock.now_ns), 2 * kMeanNs);
}

TEST(PeriodSchedule, draws_periods_between_three_and_five_quarters_of_the_mean) {
    SimulatedClock clock(4);
    clock.tick(0);  // the first is any part of a period
    std::int64_t least = kMeanNs;
    std::int64_t most = 0;
    for (int i = 0; i < 2'000; ++i) {
        const std::int64_t before = clock.weights_ns;
        clock.tick(0);
        const std::int64_t period = clock.weights_ns - before;
        EXPECT_THAT(period, AllOf(Ge(kMeanNs * 3 / 4), Le(kMeanNs * 5 / 4)));
        least = std::min(least, period);
        most = std::max(most, period);
    }
    EXPECT_LT(least, kMeanNs * 77 / 100);
    EXPECT_GT(most, kMeanNs * 123 / 100);
}

TEST(PeriodSchedule, says_what_came_late_and_how_often_the_timer_went_off_meanwhile) {
    PeriodSchedule schedule(kMeanNs, 5);
    schedule.begin(0);
    const std::int64_t due_ns = schedule.due_ns();
    const std::int64_t armed_ns = schedule.armed_ns();
    const PeriodSchedule::Tick tick = schedule.tick(due_ns + 3 * armed_ns + 1);
    EXPECT_TRUE(tick.late || armed_ns * 3 < kMeanNs / 2);
    EXPECT_EQ(tick.period_ns, due_ns);
    EXPECT_EQ(tick.repeats_ns, 3 * armed_ns);
    EXPECT_FALSE(schedule.tick(schedule.due_ns() + kMeanNs / 2 - 1).late);
    EXPECT_TRUE(schedule.tick(schedule.due_ns() + kMeanNs / 2 + 1).late);
}

TEST(PeriodSchedule, does_not_count_time_between_pause_and_resume) {
    PeriodSchedule schedule(kMeanNs, 6);
    schedule.begin(0);
    const std::int64_t due_ns = schedule.due_ns();
    schedule.pause(1'000);
    schedule.resume(5'001'000);
    EXPECT_EQ(schedule.due_ns(), due_ns + 5'000'000);
    EXPECT_EQ(schedule.tick(schedule.due_ns()).period_ns, due_ns);
}

TEST(PeriodSchedule, never_asks_for_less_than_the_kernel_accepts) {
    PeriodSchedule schedule(1, 7);
    schedule.begin(0);
    for (std::int64_t now_ns = 0; now_ns < 10'000'000; now_ns += 9'999) {
        (void)schedule.tick(now_ns);
        EXPECT_GE(schedule.armed_ns(), kLeastPeriodNs);
    }
}

}  // namespace
}  // namespace tare::pmu
