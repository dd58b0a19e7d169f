// At stake: the size of every batch that is ever timed, and that drift falls on all rungs alike.
#include "harness/measure/visit_plan.h"

#include <gmock/gmock.h>

#include <map>

namespace tare::measure {
namespace {

using ::testing::ElementsAre;

std::uint64_t untimed(const RungPlan& rung) {
    return rung.first.lead_in_n + rung.first.warm_n;
}

TEST(PlanVisit, FillsABatchWithWholePassesOfTheUnrolledLoop) {
    const VisitPlan plan = plan_visit({{StepKind::kPython, 103.0}, {StepKind::kCall, 103.0}}, 10, {});
    EXPECT_EQ(plan.rungs[0].first.n, 490u);  // 50,000 / 103 = 485.4, in tens
    EXPECT_EQ(plan.rungs[1].first.n, 485u);
    EXPECT_EQ(plan.rungs[0].first.lead_in_n, 390u);  // a third of three, less what warms the first
    EXPECT_EQ(plan.rungs[0].first.warm_n, 100u);
    EXPECT_EQ(plan.rungs[0].batches, 3);
    EXPECT_EQ(plan.placements, 4);
}

TEST(PlanVisit, HasAsManyBatchesInARowAsAreWorthTheirPlacement) {
    const auto batches = [](double ns, int unroll) {
        return plan_visit({{StepKind::kPython, ns}}, unroll, {}).rungs[0].batches;
    };
    EXPECT_EQ(batches(1e3, 8), 3);
    EXPECT_EQ(batches(8e3, 8), 2) << "64 us each";
    EXPECT_EQ(batches(16e3, 8), 1);
    EXPECT_EQ(batches(170e3, 1), 1);
    EXPECT_EQ(batches(5e9, 1), 1);
}

TEST(PlanVisit, ASlowStatementIsExecutedOncePerBatchAtFewerPlacements) {
    const VisitPlan plan = plan_visit({{StepKind::kPython, 30e6}}, 1, {});
    EXPECT_EQ(plan.rungs[0].first.n, 1u);
    EXPECT_EQ(untimed(plan.rungs[0]), 0u);
    EXPECT_EQ(plan.placements, 3);  // 100 ms / (30 + 2) ms
}

TEST(PlanVisit, ABatchOfOnePassHasOneBeforeItUnlessThatTakesLong) {
    const auto lead_in = [](double ns, int unroll) {
        return untimed(plan_visit({{StepKind::kPython, ns}}, unroll, {}).rungs[0]);
    };
    EXPECT_EQ(lead_in(170e3, 1), 3u) << "it read 15 % high without";
    EXPECT_EQ(lead_in(44e3, 8), 8u);
    EXPECT_EQ(lead_in(1.9e6, 1), 1u);
    EXPECT_EQ(lead_in(2.1e6, 1), 0u) << "what was put out takes microseconds to come back";
    EXPECT_EQ(lead_in(1.2e6, 1), 1u);
}

TEST(PlanVisit, ALongStatementHasTheTimeToBringItsCodeBackIntoTheCaches) {
    const auto lead_in = [](double ns) { return untimed(plan_visit({{StepKind::kCall, ns}}, 1, {}).rungs[0]); };
    EXPECT_EQ(lead_in(35e3), 14u) << "of two it read 9 % high";
    EXPECT_EQ(lead_in(6e3), 83u);
    const auto of_10_ms = [](double ns) {
        return untimed(plan_visit({{StepKind::kPython, ns}}, 1, {.batch_ns = 10e6}).rungs[0]);
    };
    EXPECT_EQ(of_10_ms(3e6), 1u) << "a third of a batch is more than 0.5 ms";
    EXPECT_EQ(lead_in(4e3), 13u);
}

TEST(PlanVisit, AShortStatementHasTheTimeToTeachThePredictorsAnew) {
    const VisitPlan plan = plan_visit({{StepKind::kPython, 5.0}, {StepKind::kFloor, 5.0}}, 10, {});
    EXPECT_EQ(plan.rungs[0].first.n, 10'000u);
    EXPECT_EQ(untimed(plan.rungs[0]), 100'000u);  // 0.5 ms
    EXPECT_EQ(untimed(plan.rungs[1]), 10'000u);   // an error of 3 % of the floor is 0.1 ns
}

TEST(PlanVisit, NeverGoesBelowTheLeastNumberOfPlacements) {
    EXPECT_EQ(plan_visit({{StepKind::kPython, 5e9}}, 1, {}).placements, 3);
}

TEST(PlanVisit, AnEstimateOfZeroDoesNotMakeAnEndlessBatch) {
    EXPECT_LE(plan_visit({{StepKind::kNative, 0.0}}, 1, {}).rungs[0].first.n, 1'000'000'000u);
}

TEST(PlanVisit, WarmsEachBatchAfterTheSystemCallBeforeIt) {
    const auto warm = [](double ns, int unroll) {
        return plan_visit({{StepKind::kPython, ns}}, unroll, {}).rungs[0].first.warm_n;
    };
    EXPECT_EQ(warm(1e3, 8), 8u);
    EXPECT_EQ(warm(15e3, 8), 8u) << "a whole pass, of 120 us";
    EXPECT_EQ(warm(30e3, 8), 0u);
    EXPECT_EQ(warm(20e6, 1), 0u);
}

TEST(StepsAt, OnlyTheFirstBatchOfARungFollowsAnotherRung) {
    const VisitPlan plan{.rungs = {{{StepKind::kPython, 8, 16, 2}, 2}, {{StepKind::kCall, 9, 3, 1}, 1}},
                         .placements = 2};
    EXPECT_THAT(steps_at(plan, 0), ElementsAre(Step{StepKind::kPython, 8, 16, 2}, Step{StepKind::kPython, 8, 0, 2},
                                               Step{StepKind::kCall, 9, 3, 1}));
    EXPECT_THAT(steps_at(plan, 1), ElementsAre(Step{StepKind::kCall, 9, 3, 1}, Step{StepKind::kPython, 8, 16, 2},
                                               Step{StepKind::kPython, 8, 0, 2}));
}

/// Python first or last at each of four placements: half of its batches followed a fresh set-up in every process.
TEST(StepsAt, NoRungFollowsTheSetUpMoreOftenThanOthers) {
    VisitPlan plan{.rungs = {{{StepKind::kPython, 1}, 1}, {{StepKind::kCall, 1}, 1}, {{StepKind::kFloor, 1}, 1}},
                   .placements = 4};
    std::map<StepKind, int> first;
    for (plan.turn = 0; plan.turn < plan.rungs.size(); ++plan.turn)
        for (int placement = 0; placement < plan.placements; ++placement) ++first[steps_at(plan, placement)[0].kind];
    EXPECT_THAT(first, ElementsAre(std::pair(StepKind::kPython, 4), std::pair(StepKind::kCall, 4),
                                   std::pair(StepKind::kFloor, 4)));
}

TEST(StepsAt, TheShorterLoopsAreThereWhereverTheStatementHasOneBatch) {
    for (const int batches : {1, 3}) {
        const VisitPlan plan{.rungs = {{{StepKind::kPython, 1}, batches}, {{StepKind::kPython2, 1}, 3}},
                             .placements = 4};
        EXPECT_EQ(steps_at(plan, 2).size(), batches == 1 ? 4U : 3U);
    }
}

TEST(StepsAt, LinearDriftFallsOnAllRungsAlike) {
    const VisitPlan plan{.rungs = {{{StepKind::kPython, 1, 0}, 4},
                                   {{StepKind::kCall, 1, 0}, 4},
                                   {{StepKind::kNative, 1, 0}, 4},
                                   {{StepKind::kFloor, 1, 0}, 4}},
                         .placements = 24};
    std::map<StepKind, double> drift;
    double time = 0;
    for (int placement = 0; placement < plan.placements; ++placement)
        for (const Step& step : steps_at(plan, placement)) drift[step.kind] += time++;
    for (const auto& [kind, sum] : drift) EXPECT_NEAR(sum, drift[StepKind::kPython], 1e-9) << name_of(kind);
}

}  // namespace
}  // namespace tare::measure
