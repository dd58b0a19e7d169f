// At stake: that every case meets every worker once, that a failing case costs itself alone, and that nothing measured
// before an interruption is lost.
#include "harness/measure/rounds.h"

#include <gmock/gmock.h>

#include <set>
#include <thread>

#include "harness/measure/fake_worker.h"
#include "harness/measure/unhurried_for_test.h"

namespace tare::measure {
namespace {

using core::Case;
using core::Error;
using core::ErrorCode;
using core::Expected;
using core::Value;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct FakeRun {
    std::vector<WorkerDraw> draws;
    std::vector<core::Visit> visits;
    std::function<void(FakeWorker&)> equip = [](FakeWorker&) {};
    std::function<void(int)> spared;
    std::function<bool()> stop = [] { return false; };

    core::Status operator()(const std::vector<Case>& all, const RoundSettings& settings) {
        return run_rounds(all, settings,
                          [&](const WorkerDraw& draw) -> Expected<std::unique_ptr<WorkerLink>> {
                              draws.push_back(draw);
                              auto worker = std::make_unique<FakeWorker>();
                              equip(*worker);
                              return worker;
                          },
                          {.visit_starts = [](const Case&, int) {},
                           .visit_done = [&](const core::Visit& visit) -> core::Status {
                               visits.push_back(visit);
                               return {};
                           },
                           .spared = spared,
                           .stop = stop});
    }
};

TEST(Rounds, EveryCaseMeetsAFreshWorkerInEachRound) {
    FakeRun run;
    ASSERT_TRUE(run(fake_cases(6), {.rounds = 5, .seed = 1, .visit = {}}));
    EXPECT_THAT(run.draws, SizeIs(5));
    std::set<std::pair<std::string, int>> met;
    std::set<std::vector<std::string>> orders;
    for (int round = 0; round < 5; ++round) {
        std::vector<std::string> order;
        for (const core::Visit& visit : run.visits)
            if (visit.round == round) order.push_back(visit.case_name);
        orders.insert(order);
        for (const std::string& name : order) met.insert({name, round});
    }
    EXPECT_THAT(met, SizeIs(30));
    EXPECT_GT(orders.size(), 1u) << "the order is drawn anew each round";
}

TEST(Rounds, TheSameSeedDrawsTheSameRun) {
    FakeRun a, b, c;
    ASSERT_TRUE(a(fake_cases(6), {.rounds = 3, .seed = 7, .visit = {}}));
    ASSERT_TRUE(b(fake_cases(6), {.rounds = 3, .seed = 7, .visit = {}}));
    ASSERT_TRUE(c(fake_cases(6), {.rounds = 3, .seed = 8, .visit = {}}));
    EXPECT_EQ(a.draws, b.draws);
    EXPECT_NE(a.draws, c.draws);
}

TEST(Rounds, AFailingCaseIsReplacedWithItsWorkerAndNotVisitedAgain) {
    FakeRun run;
    run.equip = [](FakeWorker& worker) {
        worker.intercept = [](const Value& request) -> Expected<Value> {
            if (request["case"].as_text() == "op2") return core::fail(ErrorCode::kWorkerDied, "the worker died");
            return Value();
        };
    };
    ASSERT_TRUE(run(fake_cases(4), {.rounds = 3, .seed = 1, .visit = {}}));
    int failures = 0, healthy = 0;
    for (const core::Visit& visit : run.visits) (visit.error ? failures : healthy) += 1;
    EXPECT_EQ(failures, 1);
    EXPECT_EQ(healthy, 9);
}

TEST(Rounds, AnInterruptionKeepsTheVisitsBeforeIt) {
    FakeRun run;
    run.stop = [&] { return run.visits.size() == 4; };
    const core::Status status = run(fake_cases(3), {.rounds = 5, .seed = 1, .visit = {}});
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::kInterrupted);
    EXPECT_THAT(run.visits, SizeIs(4));
}

/// A statement of a second, twenty times over, takes twice as long as ten times.
TEST(Rounds, VisitASlowCaseInEverySecondOneIfTold) {
    int spared = 0;
    for (const bool spare : {true, false}) {
        FakeRun run;
        run.equip = [](FakeWorker& worker) {
            worker.intercept = [](const Value& request) -> Expected<Value> {
                if (request["op"].as_text() == "place") std::this_thread::sleep_for(std::chrono::milliseconds(5));
                return Value();
            };
        };
        run.spared = [&](int visits) { spared += visits; };
        RoundSettings settings{.rounds = 5, .spare_slow = spare, .seed = 1, .visit = {}};
        settings.visit.plan.visit_budget_ns = 10e6;
        ASSERT_TRUE(run(fake_cases(1), settings));
        std::vector<int> rounds;
        for (const core::Visit& visit : run.visits) rounds.push_back(visit.round);
        EXPECT_EQ(rounds, spare ? std::vector({0, 1, 2, 4}) : std::vector({0, 1, 2, 3, 4}));
    }
    EXPECT_EQ(spared, 1);
}

/// Each worker found out anew what its cases cost, which took a fifth of a visit.
TEST(Rounds, AskForWhatACaseCostsOnce) {
    std::vector<Value> prepared;
    FakeRun run;
    run.equip = [&](FakeWorker& worker) {
        worker.cost_ns = {{"python", 100}, {"python_2", 105}, {"python_4", 102}, {"floor", 10}};
        worker.intercept = [&](const Value& request) -> Expected<Value> {
            if (request["op"].as_text() == "prepare") prepared.push_back(request);
            return Value();
        };
    };
    ASSERT_TRUE(run(fake_cases(1), {.rounds = 3, .seed = 1, .visit = unhurried()}));
    ASSERT_THAT(prepared, SizeIs(3));
    EXPECT_TRUE(prepared[0]["estimate"].as_bool());
    EXPECT_TRUE(prepared[0]["unroll"].is_nil());
    for (const std::size_t round : {1U, 2U}) {
        EXPECT_FALSE(prepared[round]["estimate"].as_bool(true));
        EXPECT_TRUE(prepared[round]["line"].as_bool());
        EXPECT_EQ(prepared[round]["unroll"].as_int(), run.visits[0].rungs[0].unroll);
    }
    EXPECT_EQ(run.visits[2].rungs[0].samples.size(), run.visits[0].rungs[0].samples.size());
    EXPECT_EQ(run.visits[2].rungs[0].samples[0].n, run.visits[0].rungs[0].samples[0].n);
    EXPECT_NEAR(run.visits[2].rungs[0].floor_ns, run.visits[0].rungs[0].floor_ns, 1e-9);
}

/// A rung that an earlier worker had not, because there its routine was not found, has no size of batch.
TEST(Rounds, AskAgainWhereAWorkerHasARungThatNoneHadBefore) {
    int workers = 0;
    std::vector<Value> prepared;
    FakeRun run;
    run.equip = [&](FakeWorker& worker) {
        worker.cost_ns = {{"python", 100}, {"floor", 10}};
        if (workers++ == 1) worker.cost_ns["native"] = 20;
        worker.intercept = [&](const Value& request) -> Expected<Value> {
            if (request["op"].as_text() == "prepare") prepared.push_back(request);
            return Value();
        };
    };
    ASSERT_TRUE(run(fake_cases(1), {.rounds = 2, .seed = 1, .visit = unhurried()}));
    ASSERT_THAT(prepared, SizeIs(3));
    EXPECT_FALSE(prepared[1]["estimate"].as_bool(true));
    EXPECT_TRUE(prepared[2]["estimate"].as_bool());
    EXPECT_FALSE(run.visits[1].error);
}

TEST(Visit, HoldsTheFloorOfItsOwnLoopAndThreeSamplesOfEachPlacement) {
    FakeWorker worker;
    worker.cost_ns = {{"python", 100}, {"call", 80}, {"floor", 10}, {"floor_call", 2}};
    const core::Visit visit = visit_case(worker, fake_cases(1)[0], unhurried(), {});
    ASSERT_FALSE(visit.error);
    ASSERT_THAT(visit.rungs, SizeIs(3));  // python, call, floor
    EXPECT_EQ(visit.rungs[0].floor_ns, 10);
    EXPECT_EQ(visit.rungs[0].unroll, 10);
    EXPECT_EQ(visit.rungs[1].floor_ns, 2);
    EXPECT_EQ(visit.rungs[2].floor_ns, 0);
    EXPECT_EQ(visit.rungs[0].samples.size(), 3 * PlanSettings().placements);
}

TEST(Visit, ACaseThatPrintsWhileMeasuredFails) {
    FakeWorker worker;
    worker.intercept = [&](const Value& request) -> Expected<Value> {
        if (request["op"].as_text() == "measure") worker.output.out = "hello";
        return Value();
    };
    const core::Visit visit = visit_case(worker, fake_cases(1)[0], {}, {});
    ASSERT_TRUE(visit.error);
    EXPECT_THAT(visit.error->what, HasSubstr("hello"));
}

TEST(Visit, ACaseThatPrintsInItsSetUpDoesNot) {
    FakeWorker worker;
    worker.intercept = [&](const Value& request) -> Expected<Value> {
        if (request["op"].as_text() == "prepare") worker.output = {.out = "hello", .err = "careful"};
        return Value();
    };
    const core::Visit visit = visit_case(worker, fake_cases(1)[0], {}, {});
    EXPECT_FALSE(visit.error);
    EXPECT_THAT(visit.warnings, ElementsAre(HasSubstr("careful")));
}

/// Nine more executions in each of 20 workers would be time for nothing.
TEST(Visit, AsksOnceARunWhetherAStatementDoesTheSameAgain) {
    FakeRun run;
    run.equip = [](FakeWorker& worker) {
        worker.unroll = 1;  // whose costs are found out in each visit
        worker.intercept = [](const Value& request) -> Expected<Value> {
            if (request["op"].as_text() != "repeats") return Value();
            if (request["case"].as_text() == "op1") return core::fail(ErrorCode::kCaseFailed, "StopIteration");
            return Value("its first execution gives 5, later ones 0: make it anew");
        };
    };
    ASSERT_TRUE(run(fake_cases(2), {.rounds = 3, .seed = 1, .visit = unhurried()}));
    int told = 0;
    for (const core::Visit& visit : run.visits) {
        EXPECT_FALSE(visit.error) << "one that raises then did not while it was measured";
        told += static_cast<int>(visit.warnings.size());
        EXPECT_TRUE(visit.warnings.empty() || visit.case_name == "op0");
    }
    EXPECT_EQ(told, 1);
}

TEST(Visit, ACaseThatPrintsInTheSetUpOfItsRepeatsDoesNot) {
    FakeWorker worker;
    worker.intercept = [&](const Value& request) -> Expected<Value> {
        if (request["op"].as_text() == "repeats") worker.output = {.out = "hello", .err = "careful"};
        return Value();
    };
    const core::Visit visit = visit_case(worker, fake_cases(1)[0], unhurried(), {});
    EXPECT_FALSE(visit.error);
    EXPECT_THAT(visit.warnings, ElementsAre(HasSubstr("set-up or warm-up wrote to stderr: careful")));
}

TEST(Visit, IsInterruptedInItsRepeats) {
    FakeWorker worker;
    worker.intercept = [](const Value& request) -> Expected<Value> {
        if (request["op"].as_text() == "repeats") return core::fail(ErrorCode::kInterrupted, "interrupted");
        return Value();
    };
    const core::Visit visit = visit_case(worker, fake_cases(1)[0], unhurried(), {});
    ASSERT_TRUE(visit.error);
    EXPECT_EQ(visit.error->code, ErrorCode::kInterrupted);
}

TEST(Visit, ACaseThatPrintsInTheSetUpOfALaterPlacementDoesNot) {
    FakeWorker worker;
    worker.intercept = [&](const Value& request) -> Expected<Value> {
        if (request["op"].as_text() == "place") worker.output = {.out = "hello", .err = "careful"};
        return Value();
    };
    const core::Visit visit = visit_case(worker, fake_cases(1)[0], unhurried(), {});
    EXPECT_FALSE(visit.error);
    EXPECT_THAT(visit.warnings, ElementsAre(HasSubstr("set-up or warm-up wrote to stderr: careful")))
        << "once, not at each placement";
    EXPECT_EQ(visit.rungs.at(0).samples.size(), 3 * PlanSettings().placements);
}

TEST(Visit, EndsEarlyWhereTheSetUpUsesUpTheBudget) {
    FakeWorker worker;
    worker.intercept = [&](const Value& request) -> Expected<Value> {
        if (request["op"].as_text() == "place") std::this_thread::sleep_for(std::chrono::milliseconds(10));
        return Value();
    };
    VisitSettings settings;
    settings.plan.visit_budget_ns = 20e6;  // 8 placements at the cost that the plan expects
    const core::Visit visit = visit_case(worker, fake_cases(1)[0], settings, {});
    EXPECT_FALSE(visit.error);
    EXPECT_EQ(visit.rungs.at(0).samples.size(), 3 * settings.plan.min_placements);
}

TEST(Visit, OfACaseThatHangsNamesTheOptionThatGivesItTime) {
    FakeWorker worker;
    worker.intercept = [](const Value&) -> Expected<Value> { return core::fail(ErrorCode::kTimeout, "no answer"); };
    const core::Visit visit = visit_case(worker, fake_cases(1)[0], {}, {});
    ASSERT_TRUE(visit.error);
    EXPECT_THAT(visit.error->hint, HasSubstr("--time-limit"));
}

TEST(Visit, ACaseThatLeavesTheInterpreterChangedFails) {
    FakeWorker worker;
    worker.intercept = [](const Value& request) -> Expected<Value> {
        if (request["op"].as_text() == "finish")
            return Value(core::Map{{"changes", core::List{Value("np.seterr changed")}}});
        return Value();
    };
    const core::Visit visit = visit_case(worker, fake_cases(1)[0], {}, {});
    ASSERT_TRUE(visit.error);
    EXPECT_THAT(visit.error->what, HasSubstr("np.seterr changed"));
    EXPECT_THAT(visit.rungs, SizeIs(2)) << "what was measured stays in the visit";
}

TEST(Visit, KeepsWhatWasMeasuredBeforeACrash) {
    FakeWorker worker;
    int placements = 0;
    worker.intercept = [&](const Value& request) -> Expected<Value> {
        if (request["op"].as_text() == "measure" && ++placements > 3)
            return core::fail(ErrorCode::kTimeout, "no answer");
        return Value();
    };
    const core::Visit visit = visit_case(worker, fake_cases(1)[0], unhurried(), {});
    ASSERT_TRUE(visit.error);
    EXPECT_EQ(visit.rungs.at(0).samples.size(), 3 * 3);
}

}  // namespace
}  // namespace tare::measure
