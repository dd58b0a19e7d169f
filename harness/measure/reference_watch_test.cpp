// At stake: which batches count as quiet while a run goes on, and that it waits no longer than it may.
#include "harness/measure/reference_watch.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>

namespace tare::measure {
namespace {

using core::References;

TEST(LowQuantile, IsTheValueThatOneInAHundredIsNotAbove) {
    std::mt19937_64 random(1);
    LowQuantile quantile;
    EXPECT_EQ(quantile.value(), 0);
    std::vector<double> values;
    for (int i = 0; i < 5000; ++i) {
        values.push_back(static_cast<double>(random() % 1000));
        quantile.add(values.back());
        std::vector<double> sorted = values;
        std::sort(sorted.begin(), sorted.end());
        ASSERT_EQ(quantile.value(), sorted[(sorted.size() - 1) / 100]) << i;
    }
}

TEST(ReferenceWatch, KnowsItsOwnBestWhereNoEarlierRunIsKnown) {
    ReferenceWatch watch;
    EXPECT_EQ(watch.best(), References{});
    EXPECT_EQ(watch.quiet_ratio(), 1);
    watch.take({2000, 900});
    watch.take({4000, 900});
    watch.take({});  // another architecture
    EXPECT_EQ(watch.best(), (References{2000, 900}));
    EXPECT_EQ(watch.readings(), 2u);
    EXPECT_EQ(watch.quiet_ratio(), 0.5);
}

TEST(ReferenceWatch, KnowsTheClockOfMostBatches) {
    ReferenceWatch watch;
    EXPECT_EQ(watch.clock_ghz(), 0);
    for (const double ghz : {3.2, 3.5, 3.2, 3.21}) watch.take({2000, 900, ghz});
    EXPECT_DOUBLE_EQ(watch.clock_ghz(), 3.205);
}

TEST(ReferenceWatch, TakesOfTwoReadingsTheSlowerKernelsAndTheClockBetweenThem) {
    EXPECT_EQ(core::slower_of({2000, 950, 3.5}, {2100, 900, 3.25}), (References{2100, 950, 3.375}));
    EXPECT_EQ(core::slower_of({}, {2100, 900, 3.2}).clock_ghz, 3.2) << "one of them was not taken";
    EXPECT_EQ(core::slower_of({140, 60, 0.2}, {2100, 900, 3.2}), (References{2100, 900, 3.2})) << "held up";
}

/// A chain of 2 us that an exit to the hypervisor held up for 30 counts the loads in cycles that are too long: they
/// seemed to take a fifteenth of the best, and a batch that took twice its time was quiet.
TEST(ReferenceWatch, TakesNoHeldUpChainForQuiet) {
    const References best{2000, 900};
    EXPECT_TRUE(core::is_quiet({1900, 900}, best));
    EXPECT_FALSE(core::is_quiet({140, 60}, best));
    EXPECT_TRUE(core::is_quiet({140, 60}, {})) << "nothing is known";
}

TEST(ReferenceWatch, SaysTimesAtTheUsualClockWhereItsOwnIsNear) {
    const auto at_ghz = [](double usual_ghz, double own_ghz) {
        ReferenceWatch watch({2000, 900, usual_ghz});
        for (int i = 0; i < 100; ++i) watch.take({2000, 900, own_ghz});
        return watch.best_at_clock().clock_ghz;
    };
    EXPECT_EQ(at_ghz(3.05, 2.98), 3.05);
    EXPECT_EQ(at_ghz(3.05, 3.6), 3.05);
    EXPECT_EQ(at_ghz(4.5, 2.2), 2.2) << "a laptop without its charger";
    EXPECT_EQ(at_ghz(0, 2.98), 2.98) << "the first run on a machine";
    EXPECT_EQ(ReferenceWatch().best_at_clock(), References{});
}

TEST(ReferenceWatch, ComparesABusyRunWithEarlierOnes) {
    ReferenceWatch watch({2000, 900});
    for (int i = 0; i < 1000; ++i) watch.take({3500, 1000});
    EXPECT_EQ(watch.best(), (References{2000, 900}));
    EXPECT_EQ(watch.low(), (References{3500, 1000}));
    EXPECT_EQ(watch.quiet_ratio(), 0);
}

TEST(ReferenceWatch, ImprovesWhatEarlierRunsKnew) {
    ReferenceWatch watch({3500, 1000});
    for (int i = 0; i < 1000; ++i) watch.take({2000, 900});
    EXPECT_EQ(watch.best(), (References{2000, 900}));
}

TEST(ReferenceWatch, WaitsForAThirdOfWhatItMeasuresOrForSoManySeconds) {
    ReferenceWatch third;
    const double at_first_ns = third.wait_ns();
    EXPECT_GT(at_first_ns, 0);
    third.measured(3e9);
    EXPECT_DOUBLE_EQ(third.wait_ns(), at_first_ns + 1e9 / 4) << "a visit has a quarter of what is left";
    third.waited(5e8);
    EXPECT_DOUBLE_EQ(third.wait_ns(), at_first_ns + 5e8 / 4);
    ReferenceWatch three({}, 3);
    three.measured(2e9);
    EXPECT_EQ(three.wait_ns(), 3e9 / 4);
    EXPECT_DOUBLE_EQ(ReferenceWatch({}, {}, 10).wait_ns(), 10 * at_first_ns);
    EXPECT_EQ(ReferenceWatch({}, 3, 10).wait_ns(), 3e9 / 4);
    EXPECT_EQ(ReferenceWatch({}, 0).wait_ns(), 0);
}

}  // namespace
}  // namespace tare::measure
