// At stake: 10 ns that the end of a pass costs and an empty loop does not show: an eighth of them is in every gross.
#include "harness/measure/copies_line.h"

#include <gmock/gmock.h>

#include "harness/measure/fake_worker.h"
#include "harness/measure/unhurried_for_test.h"
#include "harness/measure/visitor.h"

namespace tare::measure {
namespace {

using testing::DoubleNear;
using testing::Optional;

TEST(PassCost, IsWhereTheLineMeetsNoCopyAtAll) {
    EXPECT_THAT(pass_cost_ns({{1, 14}, {2, 24}, {4, 44}, {8, 84}}), Optional(DoubleNear(4, 1e-12)));
}

TEST(PassCost, OfTimesOffTheLineIsThatOfLeastSquares) {
    // By hand: means 3.75 and 41.5 ns; 284.5 / 28.75 = 9.8957 ns a copy; 41.5 - 9.8957 * 3.75.
    EXPECT_THAT(pass_cost_ns({{1, 17}, {2, 21}, {4, 44}, {8, 84}}), Optional(DoubleNear(4.3913, 0.0001)));
}

TEST(PassCost, OfASingleNumberOfCopiesIsNotKnown) {
    EXPECT_EQ(pass_cost_ns({}), std::nullopt);
    EXPECT_EQ(pass_cost_ns({{8, 84}}), std::nullopt);
    EXPECT_EQ(pass_cost_ns({{8, 84}, {8, 85}}), std::nullopt);
}

class VisitFloor : public testing::Test {
  protected:
    /// ns of one execution by step, of which 1/copies of a pass's 20 ns: the empty loop shows 4 of them.
    VisitFloor() {
        worker.unroll = 8;
        worker.cost_ns = {{"python", 102.5}, {"python_2", 110}, {"python_4", 105}, {"floor", 4}};
    }
    core::Visit visit() { return visit_case(worker, fake_cases(1)[0], settings, {}); }
    FakeWorker worker;
    VisitSettings settings = unhurried();
};

TEST_F(VisitFloor, OfThePythonRungIsTheInterceptOfItsOwnLineNotTheEmptyLoop) {
    const core::Visit done = visit();
    ASSERT_FALSE(done.error) << done.error->what;
    EXPECT_THAT(done.rungs.at(0).floor_ns, DoubleNear(20, 1e-9));
    EXPECT_EQ(done.rungs.at(1).kind, core::RungKind::kFloor);
    EXPECT_THAT(done.rungs.at(1).samples.at(0).wall_ns / static_cast<double>(done.rungs.at(1).samples.at(0).n),
                DoubleNear(4, 1e-9));
}

TEST_F(VisitFloor, OfAStatementThatIsNotUnrolledIsTheEmptyLoop) {
    worker.unroll = 1;
    worker.cost_ns = {{"python", 50'000}, {"floor", 4}};
    EXPECT_THAT(visit().rungs.at(0).floor_ns, DoubleNear(4, 1e-9));
}

TEST_F(VisitFloor, ThatWouldBeLessThanNothingIsTheEmptyLoop) {
    worker.cost_ns = {{"python", 110}, {"python_2", 100}, {"python_4", 105}, {"floor", 4}};
    EXPECT_THAT(visit().rungs.at(0).floor_ns, DoubleNear(4, 1e-9));
}

TEST_F(VisitFloor, WithstandsBatchesThatWereInterrupted) {
    int batches = 0;
    worker.intercept = [&](const core::Value& request) -> core::Expected<core::Value> {
        if (request["op"].as_text() != "measure" || batches++ % 5 != 0) return core::Value();
        core::List samples;  // every fifth placement: its first batch was interrupted for 4 ms
        for (const core::Value& step : request["steps"].as_list()) {
            const double ns =
                worker.cost_ns.at(step.as_list()[0].as_text()) * static_cast<double>(step.as_list()[1].as_int()) +
                (samples.empty() ? 4e6 : 0);
            samples.emplace_back(core::List{step.as_list()[1], ns, ns});
        }
        return core::Value(core::Map{{"samples", std::move(samples)}});
    };
    EXPECT_THAT(visit().rungs.at(0).floor_ns, DoubleNear(20, 1e-9));
}

TEST_F(VisitFloor, OfAVisitThatEndsEarlyIsTheEmptyLoop) {
    settings.plan.placements = settings.plan.min_placements = 1;  // 3 lines
    EXPECT_THAT(visit().rungs.at(0).floor_ns, DoubleNear(4, 1e-9));
}

TEST_F(VisitFloor, TakesTheShorterLoopsInEverySecondPairOfPlacements) {
    (void)visit();
    int with = 0, without = 0;
    for (const core::Value& request : worker.requests) {
        if (request["op"].as_text() != "measure") continue;
        const bool has_shorter = std::ranges::any_of(request["steps"].as_list(), [](const core::Value& step) {
            return step.as_list()[0].as_text() == name_of(StepKind::kPython2);
        });
        ++(has_shorter ? with : without);
    }
    EXPECT_EQ(with, 2);
    EXPECT_EQ(without, 2);
}

}  // namespace
}  // namespace tare::measure
