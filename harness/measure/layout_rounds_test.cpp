// At stake: that a ledger of the same program is the same in every run. Draws that depended on the run, or a case's
// place in it, would move counts by 1 %.
#include "harness/measure/layout_rounds.h"

#include <gmock/gmock.h>

#include "harness/measure/fake_worker.h"

namespace tare::measure {
namespace {

using core::Refusal;
using testing::ElementsAre;
using testing::HasSubstr;

core::Trace trace_of(std::size_t steps, Refusal refusal = Refusal::kNone) {
    core::Trace trace;
    trace.steps.assign(steps, {.address = 0x1000, .stack_pointer = 64});
    trace.refusal = refusal;
    return trace;
}

/// Runs layouts on fakes and keeps what happened.
struct Rehearsal {
    LayoutSettings settings;
    std::function<core::Expected<core::Value>(const core::Value& request)> answer = [](const core::Value& request) {
        if (request["op"].as_text() == "finish") return core::Value(core::Map{{"changes", core::List{}}});
        return core::to_value(trace_of(request["loop"].as_text() == "floor" ? 3 : 20));
    };
    std::function<core::Status()> on_traced = [] { return core::Status{}; };
    std::vector<WorkerDraw> draws;
    std::vector<std::string> happened;
    std::vector<core::Value> requests;

    core::Status run(int cases, int stop_after = 1000) {
        int asked = 0;
        return run_layouts(
            fake_cases(cases), settings,
            [&](const WorkerDraw& draw) -> core::Expected<std::unique_ptr<WorkerLink>> {
                draws.push_back(draw);
                auto worker = std::make_unique<FakeWorker>();
                worker->intercept = [this](const core::Value& request) {
                    requests.push_back(request);
                    return answer(request);
                };
                return worker;
            },
            {.starts = [](const core::Case&, int) {},
             .traced = [&](const core::Case& stepped, const LayoutTraces& traces, WorkerLink&) -> core::Status {
                 happened.push_back(stepped.operation + " " +
                                    std::to_string(traces.statement.steps.size() - traces.floor.steps.size()));
                 return on_traced();
             },
             .refused = [&](const core::Case& stepped, const core::Error& error) -> core::Status {
                 happened.push_back(stepped.operation + ": " + error.what);
                 return {};
             },
             .stop = [&] { return ++asked > stop_after; }});
    }
};

TEST(LayoutRounds, StepStatementAndFloorOfEveryCaseInEveryLayout) {
    Rehearsal rehearsal;
    rehearsal.settings.layouts = 2;
    ASSERT_TRUE(rehearsal.run(2));
    EXPECT_THAT(rehearsal.happened, ElementsAre("op0 17", "op1 17", "op0 17", "op1 17"));
    EXPECT_EQ(rehearsal.requests[0]["seed"], rehearsal.requests[1]["seed"]) << "both loops in one placement";
    EXPECT_NE(rehearsal.requests[0]["seed"], rehearsal.requests[6]["seed"]) << "the next layout in another";
}

TEST(LayoutRounds, TwoPlacementsShareAWorker) {
    Rehearsal rehearsal;
    rehearsal.settings.layouts = 5;
    ASSERT_TRUE(rehearsal.run(1));
    EXPECT_EQ(rehearsal.happened.size(), 5U);
    ASSERT_EQ(rehearsal.draws.size(), 3U);
    EXPECT_NE(rehearsal.draws[0].hash_seed, rehearsal.draws[1].hash_seed);
    EXPECT_EQ(rehearsal.draws[2].round, 2);
}

TEST(LayoutRounds, DrawTheSameLayoutsInEveryRun) {
    Rehearsal once, again;
    ASSERT_TRUE(once.run(3));
    ASSERT_TRUE(again.run(3));
    EXPECT_EQ(once.draws, again.draws);
    EXPECT_EQ(once.requests, again.requests);
    Rehearsal other;
    other.settings.seed = 1;
    ASSERT_TRUE(other.run(3));
    EXPECT_NE(once.draws, other.draws);
}

TEST(LayoutRounds, ARefusedCaseCostsItselfAndItsWorker) {
    Rehearsal rehearsal;
    rehearsal.settings.layouts = 2;
    rehearsal.answer = [](const core::Value& request) {
        return core::to_value(trace_of(20, request["case"].as_text() == "op0" ? Refusal::kThread : Refusal::kNone));
    };
    ASSERT_TRUE(rehearsal.run(2));
    EXPECT_THAT(rehearsal.happened, ElementsAre("op0: not steppable: the statement starts a thread", "op1 0", "op1 0"));
    EXPECT_EQ(rehearsal.draws.size(), 2U) << "the second one replaces that of the refused case";
}

TEST(LayoutRounds, ADeadWorkerIsARefusalWithItsReason) {
    Rehearsal rehearsal;
    rehearsal.settings.layouts = 1;
    rehearsal.answer = [](const core::Value& request) -> core::Expected<core::Value> {
        if (request["case"].as_text() == "op0")
            return core::fail(core::ErrorCode::kWorkerDied, "the worker died: Trace/breakpoint trap");
        return core::to_value(trace_of(5));
    };
    ASSERT_TRUE(rehearsal.run(2));
    EXPECT_THAT(rehearsal.happened, ElementsAre("op0: not steppable: the worker died: Trace/breakpoint trap", "op1 0"));
}

TEST(LayoutRounds, ADamagedTraceIsAnErrorOfItsCase) {
    Rehearsal rehearsal;
    rehearsal.settings.layouts = 1;
    rehearsal.answer = [](const core::Value&) { return core::Value(core::Map{{"steps", "abc"}}); };
    ASSERT_TRUE(rehearsal.run(1));
    ASSERT_EQ(rehearsal.happened.size(), 1U);
    EXPECT_THAT(rehearsal.happened[0], HasSubstr("trace is damaged: steps are cut off"));
}

TEST(LayoutRounds, WhatFailsWhileATraceIsReadIsAnErrorOfItsCase) {
    Rehearsal rehearsal;
    rehearsal.on_traced = [] { return core::fail(core::ErrorCode::kData, "no names"); };
    ASSERT_TRUE(rehearsal.run(1));
    EXPECT_THAT(rehearsal.happened, ElementsAre("op0 17", "op0: no names"));
}

TEST(LayoutRounds, ACaseThatLeavesTheInterpreterChangedIsRefused) {
    Rehearsal rehearsal;
    rehearsal.settings.layouts = 2;
    rehearsal.answer = [](const core::Value& request) -> core::Expected<core::Value> {
        if (request["op"].as_text() == "finish")
            return core::Value(core::Map{{"changes", core::List{"np.seterr changed: all warn -> call"}}});
        return core::to_value(trace_of(20));
    };
    ASSERT_TRUE(rehearsal.run(1));
    ASSERT_EQ(rehearsal.happened.size(), 2U);
    EXPECT_EQ(rehearsal.happened[1], "op0: the case left the interpreter changed: np.seterr changed: all warn -> call");
}

TEST(LayoutRounds, EndWhereTheUserStops) {
    Rehearsal rehearsal;
    const core::Status status = rehearsal.run(3, 4);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, core::ErrorCode::kInterrupted);
    EXPECT_EQ(rehearsal.happened.size(), 4U);
}

TEST(LayoutRounds, AStatementThatIsTooLongNamesTheLimitAndTheOption) {
    const core::Error error = refusal_error(Refusal::kTooLong, {}, 5000);
    EXPECT_EQ(error.what, "too long to step: more than 5000 instructions");
    EXPECT_EQ(error.hint, "--limit 50000 allows more");
}

}  // namespace
}  // namespace tare::measure
