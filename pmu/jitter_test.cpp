// At stake: the 0.1 % of lost time that tells a quiet CPU from one that others use. A gap is 10 us or more.
#include "pmu/jitter.h"

#include <gmock/gmock.h>

#include <vector>

namespace tare::pmu {
namespace {

/// Advances by each of the steps in turn, again and again; the first reading is 1,000,000.
class FakeClock {
  public:
    explicit FakeClock(std::vector<std::int64_t> steps) : steps_(std::move(steps)) {}
    std::int64_t operator()() const {
        const std::int64_t now = now_ns_;
        now_ns_ += steps_[next_++ % steps_.size()];
        return now;
    }

  private:
    std::vector<std::int64_t> steps_;
    mutable std::size_t next_ = 0;
    mutable std::int64_t now_ns_ = 1'000'000;
};

constexpr auto kNever = [] { return false; };

TEST(Jitter, OfAQuietCpuHasNoGaps) {
    const Jitter jitter = spin(FakeClock({20, 30, 25}), 75'000, kNever);
    EXPECT_EQ(jitter,
              (Jitter{.spun_ns = 75'000, .readings = 3000, .gaps = 0, .lost_ns = 0, .longest_ns = 0, .step_ns = 20}));
    EXPECT_EQ(lost_ratio(jitter), 0.0);
}

TEST(Jitter, CountsWhatTakesTenMicrosecondsOrMore) {
    const Jitter jitter = spin(FakeClock({20, 9'999, 10'000, 39'981}), 60'000, kNever);
    EXPECT_EQ(
        jitter,
        (Jitter{.spun_ns = 60'000, .readings = 4, .gaps = 2, .lost_ns = 49'981, .longest_ns = 39'981, .step_ns = 20}));
    EXPECT_NEAR(*lost_ratio(jitter), 0.833, 0.001);
}

TEST(Jitter, EndsWithTheReadingThatReachesTheDuration) {
    EXPECT_EQ(spin(FakeClock({100}), 1'000, kNever).spun_ns, 1'000);
    EXPECT_EQ(spin(FakeClock({300}), 1'000, kNever).spun_ns, 1'200);
}

TEST(Jitter, EndsWhenTheUserAsksIt) {
    int asked = 0;
    const Jitter jitter = spin(FakeClock({100}), 1'000'000'000, [&] { return ++asked == 3; });
    EXPECT_EQ(jitter.readings, 2000);
    EXPECT_EQ(lost_ratio(spin(FakeClock({100}), 1'000, [] { return true; })), std::nullopt) << "no time passed";
}

TEST(Jitter, OfACoarseClockShowsItsStepAndNotTheReadingsBetween) {
    const Jitter jitter = spin(FakeClock({0, 0, 0, 4'000'000}), 16'000'000, kNever);
    EXPECT_EQ(jitter.step_ns, 4'000'000);
    EXPECT_EQ(spin(FakeClock({0}), 1, [n = 0]() mutable { return ++n > 1; }).step_ns, 0) << "it never moved";
}

TEST(ClockCost, IsThatOfTheQuickestBlock) {
    EXPECT_EQ(clock_cost_ns(FakeClock({25})), 25.0);
    constexpr std::size_t kBlock = 501;  // readings
    std::vector<std::int64_t> steps(kBlock * 20, 40);
    for (std::size_t i = 0; i < kBlock; ++i) steps[kBlock * 7 + i] = 30;
    EXPECT_EQ(clock_cost_ns(FakeClock(steps)), 30.0);
}

TEST(ClockCost, OfThisMachineIsMoreThanNothing) {
    const double cost_ns = clock_cost_ns(core::wall_clock_ns);
    EXPECT_GT(cost_ns, 0);
    EXPECT_LT(cost_ns, 1e6);
}

}  // namespace
}  // namespace tare::pmu
