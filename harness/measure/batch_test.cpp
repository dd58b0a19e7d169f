// At stake: that a batch executes exactly lead-in + n times.
#include "harness/measure/batch.h"

#include <gmock/gmock.h>

#include <thread>

#include "harness/core/clock.h"

namespace tare::measure {
namespace {

struct Counter {
    std::uint64_t armed = 0;
    std::uint64_t executed = 0;
    std::uint64_t runs = 0;
    std::uint64_t fail_at_run = 0;  // 1-based; 0: never

    core::BatchEntry entry() {
        return {.context = this,
                .arm = [](void* self, std::uint64_t n) { static_cast<Counter*>(self)->armed = n; },
                .run =
                    [](void* self) {
                        auto* counter = static_cast<Counter*>(self);
                        counter->executed += counter->armed;
                        return ++counter->runs != counter->fail_at_run;
                    }};
    }
};

TEST(TimeBatch, ExecutesTheLeadInAndTheBatchOnce) {
    for (const std::uint64_t n : {1ull, 7ull, 12'345ull}) {
        Counter counter;
        const auto sample =
            time_batch(counter.entry(), {.n = n, .lead_in_n = 3, .warm_n = 20, .stack_offset_bytes = 64});
        ASSERT_TRUE(sample);
        EXPECT_EQ(sample->n, n);
        EXPECT_EQ(counter.executed, n + 23);
        EXPECT_EQ(counter.runs, 3u);
        EXPECT_GE(sample->wall_ns, 0) << "0 where the clock ticks every 40 ns, as on arm64";
    }
}

/// What warms a batch of 1 ms for 100 would be CPU time of the batch. Of what waits there, 100 ms less than none were.
TEST(TimeBatch, SharesTheCpuTimeWithWhatWarmsIt) {
    Counter counter;
    core::BatchEntry entry = counter.entry();
    entry.run = [](void* self) {
        const auto* spinning = static_cast<Counter*>(self);
        const std::int64_t until_ns = core::wall_clock_ns() + static_cast<std::int64_t>(spinning->armed) * 1'000'000;
        while (core::wall_clock_ns() < until_ns) continue;
        return true;
    };
    const auto spun = time_batch(entry, {.n = 1, .warm_n = 100});
    ASSERT_TRUE(spun);
    EXPECT_LT(spun->cpu_ns, spun->wall_ns + 5e6) << "two clocks";
    entry.run = [](void* self) {
        std::this_thread::sleep_for(std::chrono::milliseconds(static_cast<Counter*>(self)->armed));
        return true;
    };
    const auto waited = time_batch(entry, {.n = 1, .warm_n = 100});
    ASSERT_TRUE(waited);
    EXPECT_GE(waited->cpu_ns, 0);
    EXPECT_LT(waited->cpu_ns, 50e6);
}

TEST(TimeBatch, WithoutLeadInRunsTheBatchAlone) {
    Counter counter;
    ASSERT_TRUE(time_batch(counter.entry(), {.n = 5, .lead_in_n = 0, .stack_offset_bytes = 0}));
    EXPECT_EQ(counter.runs, 1u);
}

TEST(TimeBatch, TakesTheTimesOfWhatTimesItsExecutionsItself) {
    Counter counter;
    core::BatchEntry entry = counter.entry();
    entry.own_times = [](void* self, std::int64_t& wall_ns, std::int64_t& cpu_ns) {
        wall_ns = 10 * static_cast<std::int64_t>(static_cast<Counter*>(self)->armed);
        cpu_ns = 9 * static_cast<std::int64_t>(static_cast<Counter*>(self)->armed);
    };
    const auto sample = time_batch(entry, {.n = 1'000, .lead_in_n = 3, .stack_offset_bytes = 0});
    ASSERT_TRUE(sample);
    EXPECT_EQ(sample->wall_ns, 10'000);
    EXPECT_EQ(sample->cpu_ns, 9'000);
}

TEST(TimeBatch, ReportsAFailedExecutionAndCanGoOn) {
    Counter counter;
    counter.fail_at_run = 2;
    EXPECT_FALSE(time_batch(counter.entry(), {.n = 5, .lead_in_n = 1, .stack_offset_bytes = 0}));
    EXPECT_TRUE(time_batch(counter.entry(), {.n = 5, .lead_in_n = 1, .stack_offset_bytes = 0}));
}

}  // namespace
}  // namespace tare::measure
