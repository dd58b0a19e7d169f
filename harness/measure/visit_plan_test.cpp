// At stake: the size of every batch that is ever timed, and that drift falls on all rungs alike.
#include "harness/measure/visit_plan.h"

#include <gmock/gmock.h>

#include <map>

namespace tare::measure {
namespace {

using ::testing::Each;
using ::testing::Field;

TEST(PlanVisit, FillsABatchWithWholePassesOfTheUnrolledLoop) {
    const VisitPlan plan = plan_visit({{StepKind::kPython, 103.0}, {StepKind::kCall, 103.0}}, 10, {});
    EXPECT_EQ(plan.steps[0].n, 1940u);  // 200,000 / 103 = 1941.7, in tens
    EXPECT_EQ(plan.steps[1].n, 1942u);
    EXPECT_EQ(plan.steps[0].lead_in_n, 490u);  // a quarter: 485, in tens
    EXPECT_EQ(plan.placements, 10);
}

TEST(PlanVisit, ASlowStatementIsExecutedOncePerBatchAtFewerPlacements) {
    const VisitPlan plan = plan_visit({{StepKind::kPython, 20e6}}, 1, {});
    EXPECT_EQ(plan.steps[0].n, 1u);
    EXPECT_EQ(plan.steps[0].lead_in_n, 0u);
    EXPECT_EQ(plan.placements, 9);  // 200 ms / (20 + 2) ms
}

TEST(PlanVisit, ABatchOfOnePassHasOneBeforeItUnlessThatTakesLong) {
    const auto lead_in = [](double ns, int unroll) {
        return plan_visit({{StepKind::kPython, ns}}, unroll, {}).steps[0].lead_in_n;
    };
    EXPECT_EQ(lead_in(170e3, 1), 3u) << "it read 15 % high without";
    EXPECT_EQ(lead_in(44e3, 8), 8u);
    EXPECT_EQ(lead_in(1.9e6, 1), 1u);
    EXPECT_EQ(lead_in(2.1e6, 1), 0u) << "what was put out takes microseconds to come back";
    EXPECT_EQ(lead_in(1.2e6, 1), 1u);
}

TEST(PlanVisit, ALongStatementHasTheTimeToBringItsCodeBackIntoTheCaches) {
    const auto lead_in = [](double ns) { return plan_visit({{StepKind::kCall, ns}}, 1, {}).steps[0].lead_in_n; };
    EXPECT_EQ(lead_in(35e3), 14u) << "of two it read 9 % high";
    EXPECT_EQ(lead_in(6e3), 83u);
    const auto of_10_ms = [](double ns) {
        return plan_visit({{StepKind::kPython, ns}}, 1, {.batch_ns = 10e6}).steps[0].lead_in_n;
    };
    EXPECT_EQ(of_10_ms(3e6), 1u) << "a quarter of a batch is more than 0.5 ms";
    EXPECT_EQ(lead_in(4e3), 13u);
}

TEST(PlanVisit, AShortStatementHasTheTimeToTeachThePredictorsAnew) {
    const VisitPlan plan = plan_visit({{StepKind::kPython, 5.0}, {StepKind::kFloor, 5.0}}, 10, {});
    EXPECT_EQ(plan.steps[0].n, 40'000u);
    EXPECT_EQ(plan.steps[0].lead_in_n, 100'000u);  // 0.5 ms
    EXPECT_EQ(plan.steps[1].lead_in_n, 10'000u);   // an error of 3 % of the floor is 0.1 ns
}

TEST(PlanVisit, NeverGoesBelowTheLeastNumberOfPlacements) {
    EXPECT_EQ(plan_visit({{StepKind::kPython, 5e9}}, 1, {}).placements, 3);
}

TEST(PlanVisit, AnEstimateOfZeroDoesNotMakeAnEndlessBatch) {
    EXPECT_LE(plan_visit({{StepKind::kNative, 0.0}}, 1, {}).steps[0].n, 1'000'000'000u);
}

TEST(StepsAt, LinearDriftFallsOnAllRungsAlike) {
    const VisitPlan plan{.steps = {{StepKind::kPython, 1, 0},
                                   {StepKind::kCall, 1, 0},
                                   {StepKind::kNative, 1, 0},
                                   {StepKind::kFloor, 1, 0}},
                         .placements = 24};
    std::map<StepKind, double> drift;
    double time = 0;
    for (int placement = 0; placement < plan.placements; ++placement)
        for (const Step& step : steps_at(plan, placement)) drift[step.kind] += time++;
    for (const auto& [kind, sum] : drift) EXPECT_NEAR(sum, drift[StepKind::kPython], 1e-9) << name_of(kind);
}

}  // namespace
}  // namespace tare::measure
