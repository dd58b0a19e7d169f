// At stake: a row's error on a noisy machine, 20 to 35 % without this selection; and that nothing is selected by value.
#include "harness/stats/quiet.h"

#include <gmock/gmock.h>

#include "harness/stats/estimate.h"

namespace tare::stats {
namespace {

using core::References;
using core::RungKind;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::Pair;
using testing::SizeIs;

constexpr References kBest{.l1_cycles = 2000, .alu_cycles = 900};
constexpr References kBusy{.l1_cycles = 3200, .alu_cycles = 1200};

core::Sample sample(double wall_ns, const References& references) {
    return {.n = 1, .wall_ns = wall_ns, .cpu_ns = wall_ns, .references = references};
}

/// A process with so many quiet batches of 100 ns and busy ones of 160.
core::Visit visit(int process, int quiet, int busy) {
    core::Visit made;
    made.case_name = "add[n=8]";
    made.round = made.process = process;
    core::RungVisit rung;
    for (int i = 0; i < busy; ++i) rung.samples.push_back(sample(160, kBusy));
    for (int i = 0; i < quiet; ++i) rung.samples.push_back(sample(100 + process, kBest));
    made.rungs = {rung};
    return made;
}

std::vector<const core::Visit*> pointers(const std::vector<core::Visit>& visits) {
    std::vector<const core::Visit*> all;
    for (const core::Visit& each : visits) all.push_back(&each);
    return all;
}

TEST(Quiet, BatchesAloneAreKeptOfProcessesThatHaveThem) {
    const std::vector<core::Visit> visits = {visit(0, 10, 14), visit(1, 3, 21), visit(2, 2, 22)};
    const auto selected = select_quiet(pointers(visits), kBest);
    ASSERT_TRUE(selected);
    ASSERT_THAT(selected->visits, SizeIs(2));
    EXPECT_THAT(selected->visits[1].rungs[0].samples, SizeIs(3));
    EXPECT_FALSE(selected->busy);
    EXPECT_DOUBLE_EQ(selected->kept_ratio, 15.0 / 72);
    EXPECT_EQ(selected->confirmed_ratio, 1);
}

TEST(Quiet, CasesWithOneQuietProcessOfSeveralShowAllBatches) {
    const std::vector<core::Visit> visits = {visit(0, 24, 0), visit(1, 2, 22), visit(2, 2, 22)};
    const auto selected = select_quiet(pointers(visits), kBest);
    ASSERT_TRUE(selected);
    EXPECT_TRUE(selected->busy);
    EXPECT_EQ(selected->visits, visits);
}

TEST(Quiet, TheOnlyProcessMaySpeakAlone) {
    const std::vector<core::Visit> visits = {visit(0, 3, 21)};
    EXPECT_FALSE(select_quiet(pointers(visits), kBest)->busy);
}

TEST(Quiet, ARungOfFewBatchesNeedsAllOfThem) {
    const std::vector<core::Visit> quiet = {visit(0, 2, 0)};
    EXPECT_FALSE(select_quiet(pointers(quiet), kBest)->busy);
    const std::vector<core::Visit> busy = {visit(0, 1, 1)};
    EXPECT_TRUE(select_quiet(pointers(busy), kBest)->busy);
}

TEST(Quiet, AProcessSaysNothingWhereOneOfItsRungsWasBusy) {
    std::vector<core::Visit> visits = {visit(0, 24, 0), visit(1, 24, 0), visit(2, 24, 0)};
    core::RungVisit native = visit(0, 2, 22).rungs[0];
    native.kind = RungKind::kNative;
    visits[1].rungs.push_back(native);
    const auto selected = select_quiet(pointers(visits), kBest);
    EXPECT_THAT(selected->visits, ElementsAre(visits[0], visits[2]));
}

TEST(Quiet, NothingIsSelectedWithoutReferencesOrWithoutABest) {
    std::vector<core::Visit> visits = {visit(0, 3, 21)};
    EXPECT_FALSE(select_quiet(pointers(visits), {}));
    for (core::Sample& each : visits[0].rungs[0].samples) each.references = {};
    EXPECT_FALSE(select_quiet(pointers(visits), kBest));
    EXPECT_FALSE(select_quiet({}, kBest));
}

TEST(Quiet, AdditionsCheckButDoNotSelect) {
    std::vector<core::Visit> visits = {visit(0, 4, 0)};
    visits[0].rungs[0].samples[0].references.alu_cycles = 2000;
    const auto selected = select_quiet(pointers(visits), kBest);
    EXPECT_EQ(selected->kept_ratio, 1);
    EXPECT_EQ(selected->confirmed_ratio, 0.75);
}

TEST(QuietEstimate, IsOfQuietBatches) {
    const std::vector<core::Visit> visits = {visit(0, 10, 14), visit(1, 10, 14), visit(2, 10, 14)};
    const CaseEstimate all = estimate_cases(visits).front();
    EXPECT_EQ(all.time_ns(RungKind::kPython)->value, 160);
    EXPECT_FALSE(all.quiet);
    const CaseEstimate quiet = estimate_cases(visits, {}, kBest).front();
    EXPECT_EQ(quiet.time_ns(RungKind::kPython)->value, 101);
    ASSERT_TRUE(quiet.quiet);
    EXPECT_DOUBLE_EQ(quiet.quiet->kept_ratio, 10.0 / 24);
    EXPECT_FALSE(quiet.quiet->busy);
    EXPECT_FALSE(quiet.quiet->depends_on_limit);
    EXPECT_THAT(quiet.quiet->gross_ns_at,
                ElementsAre(Pair(0.20, 101), Pair(0.10, 101), Pair(0.05, 101), Pair(0.03, 101)));
}

TEST(QuietEstimate, SaysThatItDependsOnTheLimit) {
    std::vector<core::Visit> visits = {visit(0, 10, 0), visit(1, 10, 0), visit(2, 10, 0)};
    for (core::Visit& each : visits)
        for (int i = 0; i < 30; ++i)  // a neighbour that slows the reference by 15 %, the batch by 40 %
            each.rungs[0].samples.push_back(sample(140 + each.process, {.l1_cycles = 2300, .alu_cycles = 900}));
    const CaseEstimate estimate = estimate_cases(visits, {}, kBest).front();
    EXPECT_THAT(estimate.time_ns(RungKind::kPython)->value, DoubleNear(101, 1e-9));
    EXPECT_TRUE(estimate.quiet->depends_on_limit);
    EXPECT_THAT(estimate.quiet->gross_ns_at, testing::Contains(Pair(0.20, 141)));
}

TEST(QuietEstimate, OfABusyCaseIsOfAllItsBatches) {
    const std::vector<core::Visit> visits = {visit(0, 0, 24), visit(1, 0, 24), visit(2, 2, 22)};
    const CaseEstimate estimate = estimate_cases(visits, {}, kBest).front();
    EXPECT_EQ(estimate.time_ns(RungKind::kPython)->value, 160);
    EXPECT_EQ(estimate.time_ns(RungKind::kPython)->processes, 3);
    EXPECT_TRUE(estimate.quiet->busy);
}

}  // namespace
}  // namespace tare::stats
