// At stake: 17 ms for a sort that takes 203: a list is sorted once, and what is repeated is another statement.
#include "harness/measure/drift.h"

#include <gmock/gmock.h>

namespace tare::measure {
namespace {

using testing::Eq;
using testing::Optional;

/// Placements of one copy, alike: the first pass, the fastest, and an execution in a batch.
Drift after(int placements, double first_ns, double fastest_ns, double batch_ns, int copies = 1) {
    Drift drift;
    for (int i = 0; i < placements; ++i) {
        drift.warmed(first_ns, fastest_ns, copies);
        drift.measured(batch_ns);
    }
    return drift;
}

TEST(Drift, FallsWhereTheFirstExecutionAfterEachSetUpCostsMore) {
    EXPECT_THAT(after(4, 203e6, 17e6, 17e6).kind(), Optional(DriftKind::kFalls));
    EXPECT_THAT(after(12, 88e3, 28e3, 3.5e3, 8).kind(), Optional(DriftKind::kFalls));
    EXPECT_THAT(after(3, 30e6, 30e6, 1.4e6).kind(), Optional(DriftKind::kFalls)) << "so slow that one pass warms it";
}

TEST(Drift, RisesWhereABatchCostsMore) {
    EXPECT_THAT(after(12, 9e3, 8e3, 60e3, 8).kind(), Optional(DriftKind::kRises));
}

TEST(Drift, IsNotWhatFreshBytecodeCosts) {
    EXPECT_EQ(after(12, 9e3, 2.4e3, 310, 8).kind(), std::nullopt) << "3.7 times, of microseconds";
    EXPECT_EQ(after(12, 2.9e6, 1e6, 1e6).kind(), std::nullopt) << "fresh memory";
}

TEST(Drift, IsNotACacheThatFillsOnceAProcessNorANeighbour) {
    Drift drift = after(1, 500e6, 1e6, 1e6);
    for (int i = 0; i < 4; ++i) {
        drift.warmed(i == 2 ? 1.2e6 : 4e6, 1e6, 1);
        drift.measured(i == 3 ? 1.6e6 : 9e6);
    }
    EXPECT_EQ(drift.kind(), std::nullopt);
}

TEST(Drift, IsSeenBesideANeighbourThatSlowsOneBatchInThree) {
    Drift drift;
    for (int i = 0; i < 12; ++i) {
        drift.warmed(350e3, 8e3, 1);
        drift.measured(i % 3 == 0 ? 4e6 : 8e3);
    }
    EXPECT_THAT(drift.kind(), Optional(DriftKind::kFalls));
}

/// A list of 3,000 that is sorted the other way round, in passes of eight: one slow batch of four had hidden it.
TEST(Drift, OfFewPlacementsIsSeenBesideANeighbourThatSlowsBatches) {
    Drift drift;
    for (int i = 0; i < 4; ++i) {
        drift.warmed(626e3, 142e3, 8);
        drift.measured(i == 3 ? 30e3 : 17.8e3);
    }
    EXPECT_THAT(drift.kind(), Optional(DriftKind::kFalls));
}

TEST(Drift, OfTooFewPlacementsIsUnknown) {
    EXPECT_EQ(after(2, 203e6, 17e6, 17e6).kind(), std::nullopt);
    EXPECT_EQ(Drift().kind(), std::nullopt);
}

TEST(Drift, KeepsItsNameOnTheWay) {
    for (const DriftKind kind : {DriftKind::kFalls, DriftKind::kRises})
        EXPECT_THAT(drift_named(name_of(kind)), Optional(Eq(kind)));
    EXPECT_EQ(drift_named("stays"), std::nullopt);
}

}  // namespace
}  // namespace tare::measure
