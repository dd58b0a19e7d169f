// At stake: the floor of a case on a noisy machine, and the time that a run may spend on waiting.
#include <gmock/gmock.h>

#include "harness/measure/fake_worker.h"
#include "harness/measure/unhurried_for_test.h"
#include "harness/measure/visitor.h"

namespace tare::measure {
namespace {

using core::References;
using core::Value;
using testing::DoubleNear;

constexpr References kQuiet{.l1_cycles = 2000, .alu_cycles = 900, .clock_ghz = 3.2};
constexpr References kBusy{.l1_cycles = 3600, .alu_cycles = 1000, .clock_ghz = 3.0};

/// A neighbour that doubles all times takes the core at two placements of four, or as `busy` says. Lines are at the
/// first two, three at each.
class QuietVisit : public testing::Test {
  protected:
    QuietVisit() {
        worker.unroll = 8;
        worker.cost_ns = {{"python", 102.5}, {"python_2", 110}, {"python_4", 105}, {"floor", 4}};
        settings.references = &watch;
        worker.intercept = [this](const Value& request) -> core::Expected<Value> {
            if (request["op"].as_text() != "measure") return Value();
            orders.push_back(request);
            const bool slowed = busy(placements++);
            core::List samples;
            for (const Value& step : request["steps"].as_list()) {
                const double ns = (slowed ? 2 : 1) * worker.cost_ns.at(step.as_list()[0].as_text()) *
                                  static_cast<double>(step.as_list()[1].as_int());
                const References taken = slowed ? kBusy : kQuiet;
                samples.emplace_back(core::List{step.as_list()[1], ns, ns,
                                                core::List{taken.l1_cycles, taken.alu_cycles, taken.clock_ghz}});
            }
            return Value(core::Map{{"samples", std::move(samples)}, {"waited_ns", waited_ns}});
        };
    }
    core::Visit visit() { return visit_case(worker, fake_cases(1)[0], settings, {}); }

    FakeWorker worker;
    VisitSettings settings = unhurried();
    ReferenceWatch watch{kQuiet, 2.0};
    std::vector<Value> orders;
    int placements = 0;
    std::function<bool(int)> busy = [](int placement) { return placement % 3 != 0; };
    double waited_ns = 0;
};

TEST_F(QuietVisit, HasTheFloorOfQuietPlacements) {
    const core::Visit done = visit();
    ASSERT_FALSE(done.error) << done.error->what;
    EXPECT_THAT(done.rungs.at(0).floor_ns, DoubleNear(20, 1e-9));
}

TEST_F(QuietVisit, WithTooFewQuietPlacementsHasTheFloorOfAll) {
    busy = [](int placement) { return placement < 2; };
    const core::Visit done = visit();
    EXPECT_THAT(done.rungs.at(0).floor_ns, DoubleNear(40, 1e-9));
}

TEST_F(QuietVisit, KeepsTheReferencesOfEachBatchAndTellsTheWatch) {
    const core::Visit done = visit();
    EXPECT_EQ(done.rungs.at(0).samples.at(0).references, kQuiet);
    EXPECT_EQ(done.rungs.at(0).samples.at(3).references, kBusy);
    EXPECT_THAT(watch.quiet_ratio(), DoubleNear(0.5, 1e-9));
    EXPECT_EQ(watch.readings(), 3u * (2 * 4 + 2 * 2));
    EXPECT_EQ(done.clock_ghz, 3.2);
}

TEST_F(QuietVisit, PutsBatchesOffWithinAQuarterOfWhatIsLeft) {
    waited_ns = 1e6;
    (void)visit();
    double patience_ns = 0;
    for (const Value& order : orders) {
        EXPECT_DOUBLE_EQ(order["quiet_l1_cycles"].as_double(), 2100);
        patience_ns = std::max(patience_ns, order["patience_ns"].as_double());
        EXPECT_GT(order["patience_ns"].as_int(), 0);
    }
    EXPECT_LE(patience_ns, 0.5e9);
    EXPECT_DOUBLE_EQ(watch.wait_ns(), (2e9 - 4 * 1e6) / 4);
}

TEST_F(QuietVisit, WaitsNoLongerThanARequestMayTake) {
    watch = ReferenceWatch(kQuiet, 86'400);
    settings.time_limit = std::chrono::milliseconds(8'000);
    (void)visit();
    for (const Value& order : orders) EXPECT_EQ(order["patience_ns"].as_int(), 2'000'000'000);
}

TEST_F(QuietVisit, IsNotPutOffWithoutTimeToWait) {
    watch = ReferenceWatch(kQuiet, 0);
    (void)visit();
    for (const Value& order : orders) EXPECT_EQ(order["patience_ns"].as_int(), 0);
}

TEST_F(QuietVisit, TakesNoReferencesUnlessAskedTo) {
    settings.references = nullptr;
    worker.intercept = nullptr;
    const core::Visit done = visit();
    ASSERT_FALSE(done.error);
    EXPECT_EQ(done.rungs.at(0).samples.at(0).references, References{});
    EXPECT_EQ(done.clock_ghz, 0);
    for (const Value& request : worker.requests) EXPECT_TRUE(request["references"].is_nil());
}

TEST_F(QuietVisit, FailsWhereTheWorkerLeavesThemOut) {
    worker.intercept = nullptr;
    const core::Visit done = visit();
    ASSERT_TRUE(done.error);
    EXPECT_THAT(done.error->what, testing::HasSubstr("references"));
}

}  // namespace
}  // namespace tare::measure
