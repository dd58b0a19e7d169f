// At stake: what people decide by: whether this machine is quiet enough, and when.
#include "harness/measure/quiet_view.h"

#include <gmock/gmock.h>

namespace tare::measure {
namespace {

using core::References;
using testing::DoubleEq;
using testing::ElementsAre;

TEST(QuietView, HasTheShareOfEachKernelAndOfEachSlice) {
    std::vector<TimedReferences> readings;
    for (int i = 0; i < 100; ++i)  // the second quarter is busy; additions see half of it
        readings.push_back(
            {i, {.l1_cycles = i / 25 == 1 ? 3000.0 : 2000.0, .alu_cycles = i >= 25 && i < 37 ? 1500.0 : 900.0}});
    const QuietView view = view_of(readings, 100, {}, 4);
    EXPECT_THAT(view.slices, ElementsAre(1, 0, 1, 1));
    EXPECT_THAT(view.l1_ratio, DoubleEq(0.75));
    EXPECT_THAT(view.alu_ratio, DoubleEq(0.88));
    EXPECT_EQ(view.best, (References{2000, 900}));
}

TEST(QuietView, IsAgainstWhatWasKnownBefore) {
    const std::vector<TimedReferences> readings(200, {0, {.l1_cycles = 3000, .alu_cycles = 900}});
    const QuietView view = view_of(readings, 100, {.l1_cycles = 2000, .alu_cycles = 900}, 2);
    EXPECT_EQ(view.l1_ratio, 0);
    EXPECT_EQ(view.alu_ratio, 1);
    EXPECT_EQ(view.low.l1_cycles, 3000);
    EXPECT_EQ(view.best.l1_cycles, 2000);
    EXPECT_THAT(view.slices, ElementsAre(0, 0));
}

TEST(QuietView, OfNothingIsNothing) {
    EXPECT_EQ(view_of({}, 1, {}, 2).l1_ratio, 0);
    const QuietView view = watch_quiet({}, 1'000'000'000, 2, [] { return true; });
    EXPECT_EQ(view.low, References{});
}

TEST(QuietView, EndsWhenItWasAskedTo) {
    int asked = 0;
    (void)watch_quiet({}, 3'600'000'000'000, 2, [&] { return ++asked > 3; });
    EXPECT_EQ(asked, 4);
}

}  // namespace
}  // namespace tare::measure
