// At stake: 3 cycles in 4: with passes that do not take turns, a counter is read in other batches than the time it is
// set against, or in none.
#include <gmock/gmock.h>

#include <map>

#include "harness/measure/fake_worker.h"
#include "harness/measure/unhurried_for_test.h"
#include "harness/measure/visitor.h"

namespace tare::measure {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<core::CounterRequest> requests() {
    std::vector<core::CounterRequest> all(3);
    all[0].name = "instructions";
    all[0].role = core::CounterRole::kInstructions;
    all[1].name = "branches";
    all[1].role = core::CounterRole::kBranches;
    all[2].name = "l1d_misses";
    all[2].role = core::CounterRole::kL1dMisses;
    return all;
}

class VisitCounts : public testing::Test {
  protected:
    VisitCounts() {
        worker.unroll = 8;
        worker.passes = {{0, 1}, {0, 2}};
        worker.events = {{"python", {1000, 200, 3}}, {"floor", {40, 8, 0}}};  // floor: of a pass of 8 executions
        settings.counters = requests();
    }
    core::Visit visit() { return visit_case(worker, fake_cases(1)[0], settings, {}); }
    /// How often each pass was ordered, by the first step that it met.
    std::map<std::pair<std::int64_t, std::string>, int> orders() const {
        std::map<std::pair<std::int64_t, std::string>, int> counted;
        for (const core::Value& request : worker.requests)
            if (request["op"].as_text() == "measure")
                ++counted[{request["pass"].as_int(-1), request["steps"].as_list()[0].as_list()[0].as_text()}];
        return counted;
    }
    FakeWorker worker;
    VisitSettings settings = unhurried();
};

TEST_F(VisitCounts, AreEventsOfOneExecutionNetOfItsShareOfTheLoop) {
    const core::Visit done = visit();
    ASSERT_FALSE(done.error) << done.error->what;
    const core::RungVisit& python = done.rungs.at(0);
    ASSERT_THAT(python.counts, SizeIs(3));
    EXPECT_THAT(python.counts[0].gross, DoubleEq(1000));
    EXPECT_THAT(python.counts[0].floor, DoubleEq(5)) << "40 of a pass of 8";
    EXPECT_THAT(python.counts[0].net, DoubleEq(995));
    EXPECT_THAT(python.counts[2].net, DoubleEq(3));
    EXPECT_EQ(python.counts[2].instructions, 995);
    const core::RungVisit& floor = done.rungs.at(1);
    EXPECT_EQ(floor.kind, core::RungKind::kFloor);
    EXPECT_THAT(floor.counts.at(0).net, DoubleEq(40)) << "a floor's own count is that of a pass";
}

TEST_F(VisitCounts, OfACounterInTwoPassesComeFromTwiceAsManyBatches) {
    const core::Visit done = visit();
    EXPECT_THAT(done.rungs.at(0).counts, ElementsAre(Field(&core::RungCount::batches, settings.plan.placements),
                                                     Field(&core::RungCount::batches, settings.plan.placements / 2),
                                                     Field(&core::RungCount::batches, settings.plan.placements / 2)));
}

TEST_F(VisitCounts, EachPassMeetsTheStepsInBothOrders) {
    constexpr int kVisits = 40;
    for (int i = 0; i < kVisits; ++i)
        (void)visit_case(worker, fake_cases(1)[0], settings, {.seed = static_cast<std::uint64_t>(i)});
    const auto counted = orders();
    ASSERT_THAT(counted, SizeIs(4)) << "2 passes x 2 first steps";
    const double expected = kVisits * settings.plan.placements / 4.0;
    for (const auto& [key, times] : counted)
        EXPECT_NEAR(times, expected, 0.25 * expected) << "pass " << key.first << " begins with " << key.second;
}

TEST_F(VisitCounts, ASlowCaseIsStillCountedInEveryPass) {
    worker.passes = {{0}, {1}, {2}, {0}, {1}};
    worker.cost_ns = {{"python", 1e9}, {"floor", 10}};
    settings.plan.visit_budget_ns = PlanSettings{}.visit_budget_ns;
    const core::Visit done = visit();
    EXPECT_THAT(done.rungs.at(0).samples, SizeIs(5));
    EXPECT_THAT(done.rungs.at(0).counts, SizeIs(3));
}

TEST_F(VisitCounts, WithoutPassesNothingIsOrderedAndNothingCounted) {
    worker.passes.clear();
    const core::Visit done = visit();
    ASSERT_FALSE(done.error);
    EXPECT_THAT(done.rungs.at(0).counts, IsEmpty());
    for (const core::Value& request : worker.requests) EXPECT_TRUE(request["pass"].is_nil());
}

TEST_F(VisitCounts, OfCountersThatNobodyAskedForAreAnErrorOfTheWorker) {
    worker.passes = {{0, 3}};
    const core::Visit done = visit();
    ASSERT_TRUE(done.error);
    EXPECT_EQ(done.error->code, core::ErrorCode::kData);
}

}  // namespace
}  // namespace tare::measure
