// At stake: a layer seen in 0 of 100 samples is not proven to be free: it may hold 3.7 %.
#include "harness/stats/proportion.h"

#include <gmock/gmock.h>

#include <random>

namespace tare::stats {
namespace {

TEST(ShareInterval, IsWilsonsOfTheTables) {
    // Newcombe 1998, table I: 81 of 263, and 0 of 20.
    EXPECT_NEAR(share_interval(81.0 / 263, 263).low, 0.2553, 5e-5);
    EXPECT_NEAR(share_interval(81.0 / 263, 263).high, 0.3662, 5e-5);
    EXPECT_DOUBLE_EQ(share_interval(0, 20).low, 0);
    EXPECT_NEAR(share_interval(0, 20).high, 0.1611, 5e-5);
}

TEST(ShareInterval, OfNothingIsEverything) {
    EXPECT_EQ(share_interval(0.5, 0), (Interval{0, 1}));
    EXPECT_EQ(share_interval(7, 0), (Interval{0, 1}));
    EXPECT_LE(share_interval(7, 10).high, 1);
}

TEST(ShareInterval, HoldsTheTruthNineteenTimesInTwenty) {
    std::mt19937_64 random(1);
    for (const double truth : {0.01, 0.2, 0.5, 0.97}) {
        std::binomial_distribution<int> count(1000, truth);
        int held = 0;
        for (int i = 0; i < 4000; ++i) {
            const Interval interval = share_interval(count(random) / 1000.0, 1000);
            held += interval.low <= truth && truth <= interval.high ? 1 : 0;
        }
        EXPECT_NEAR(held / 4000.0, 0.95, 0.015) << truth;
    }
}

}  // namespace
}  // namespace tare::stats
