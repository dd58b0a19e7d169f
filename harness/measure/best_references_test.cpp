// At stake: what "quiet" means. A best that one odd run made too low would call every batch of all later runs busy; one
// that a busy run may set would call busy batches quiet.
#include "harness/measure/best_references.h"

#include <gmock/gmock.h>

#include "harness/measure/temporary_folder_for_test.h"

namespace tare::measure {
namespace {

using core::References;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(BestReferences, AreNoneWhereNoneAreKnown) {
    EXPECT_EQ(best_of({}), References{});
    EXPECT_EQ(best_of({{}, {}}), References{});
}

TEST(BestReferences, AreThoseThatAnotherRunConfirms) {
    EXPECT_EQ(best_of({{3000, 900}, {1500, 905}, {2000, 700}, {2010, 2000}}), (References{2000, 900}));
    EXPECT_EQ(best_of({{3000, 900}}), (References{3000, 900}));
    EXPECT_EQ(best_of({{3000, 900}, {2000, 0}}), (References{2000, 900}));
}

/// At the usual clock a row varied by 1.4 % between runs where it varied by 2.0 at each run's own; at a median that
/// each run moves, by what that moves.
TEST(BestReferences, HaveAUsualClockThatIsKeptUntilItIsLeft) {
    const std::vector<References> runs{{2000, 900, 3.4}, {2000, 900, 2.9}, {2000, 900, 3}, {2000, 900, 0}};
    EXPECT_EQ(usual_clock_ghz(0, runs), 3);
    EXPECT_EQ(usual_clock_ghz(3.05, runs), 3.05);
    EXPECT_EQ(usual_clock_ghz(2.95, runs), 2.95);
    EXPECT_EQ(usual_clock_ghz(3.1, runs), 3);
    EXPECT_EQ(usual_clock_ghz(3.1, {}), 3.1);
    const TemporaryFolder cache;
    EXPECT_EQ(known_runs(cache.path(), "one").usual_ghz, 0);
    for (const double ghz : {3.0, 3.04, 3.05, 3.05}) ASSERT_TRUE(add_run(cache.path(), "one", {2000, 900, ghz}));
    EXPECT_EQ(known_runs(cache.path(), "one").usual_ghz, 3) << "that of the first run";
    for (int i = 0; i < 9; ++i) ASSERT_TRUE(add_run(cache.path(), "one", {2000, 900, 3.2}));
    EXPECT_EQ(known_runs(cache.path(), "one").usual_ghz, 3.2);
}

TEST(BestReferences, AreKeptByMachineAndForgottenAfterTwentyRuns) {
    const TemporaryFolder cache;
    EXPECT_THAT(known_runs(cache.path(), "one").runs, IsEmpty());
    ASSERT_TRUE(add_run(cache.path(), "one", {2000.5, 900, 3.05}));
    ASSERT_TRUE(add_run(cache.path(), "two", {1, 2}));
    EXPECT_THAT(known_runs(cache.path(), "one").runs, ElementsAre(References{2000.5, 900, 3.05}));
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(add_run(cache.path(), "one", {3000, 1000}));
    EXPECT_EQ(known_runs(cache.path(), "one").runs, std::vector<References>(20, {3000, 1000}));
}

}  // namespace
}  // namespace tare::measure
