// At stake: that both sides of a pair do exactly the same work, in an order that favours neither, and that a failure is
// charged to the side that failed.
#include "harness/measure/pair_visitor.h"

#include <gmock/gmock.h>

#include <set>
#include <thread>

#include "harness/measure/fake_worker.h"
#include "harness/measure/unhurried_for_test.h"

namespace tare::measure {
namespace {

using core::Case;
using core::ErrorCode;
using core::Expected;
using core::Map;
using core::Side;
using core::Value;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

const Case kCase{.operation = "add", .parameters = {}, .statement = "x + y", .rungs = {core::RungKind::kPython}};

/// Two fakes and, in one list, who was asked what.
struct FakePair {
    FakeWorker a, b;
    std::vector<std::pair<Side, std::string>> asked;
    std::function<Expected<Value>(Side, const Value&)> intercept = [](Side, const Value&) { return Value(); };

    FakePair() {
        for (const Side side : {Side::kA, Side::kB})
            worker(side).intercept = [this, side](const Value& request) {
                asked.emplace_back(side, request["op"].as_text());
                return intercept(side, request);
            };
    }
    FakeWorker& worker(Side side) { return side == Side::kA ? a : b; }
    core::PairVisit visit(const PairSettings& settings = unhurried_pair(), std::optional<PairSize> size = {}) {
        return visit_pair(a, b, kCase, settings, {.round = 2, .pair = 3, .order = 4, .seed = 5}, size);
    }
    std::vector<Value> requests(Side side, const std::string& operation) {
        std::vector<Value> found;
        for (const Value& request : worker(side).requests)
            if (request["op"].as_text() == operation) found.push_back(request);
        return found;
    }
};

auto fails_on(Side failing, const std::string& operation, ErrorCode code = ErrorCode::kCaseFailed) {
    return [=](Side side, const Value& request) -> Expected<Value> {
        if (side == failing && request["op"].as_text() == operation) return core::fail(code, "it broke");
        return Value();
    };
}

TEST(PairVisit, SaysWhereItBelongsAndWhatABatchWas) {
    FakePair pair;
    const core::PairVisit visit = pair.visit();
    EXPECT_EQ(visit.case_name, "add");
    EXPECT_EQ(visit.round, 2);
    EXPECT_EQ(visit.pair, 3);
    EXPECT_EQ(visit.order, 4);
    EXPECT_EQ(visit.seed, 5u);
    EXPECT_EQ(visit.n, 2000u);  // 200 us / 100 ns
    EXPECT_EQ(visit.unroll, 10);
    EXPECT_THAT(visit.quads, SizeIs(24));
    EXPECT_THAT(visit.errors, IsEmpty());
    EXPECT_THAT(visit.warnings, IsEmpty());
}

/// Of an iterator that its first execution uses up, a duet compares two executions of nothing: the same, to 0.1 %.
TEST(PairVisit, AsksOnceWhetherAStatementDoesTheSameAgain) {
    FakePair pair;
    pair.intercept = [](Side side, const Value& request) -> Expected<Value> {
        if (request["op"].as_text() != "repeats") return Value();
        if (side == Side::kA) return core::fail(ErrorCode::kCaseFailed, "StopIteration");
        return Value("its first execution gives 5, later ones 0: make it anew");
    };
    const core::PairVisit visit = pair.visit();
    EXPECT_THAT(visit.warnings, ElementsAre("side b: its first execution gives 5, later ones 0: make it anew"));
    EXPECT_THAT(visit.errors, IsEmpty()) << "one that raises then did not while it was measured";
    EXPECT_EQ(pair.asked.back().second, "finish");
    (void)pair.visit(unhurried_pair(), PairSize{visit.n, visit.unroll});
    for (const Side side : {Side::kA, Side::kB}) EXPECT_THAT(pair.requests(side, "repeats"), SizeIs(1));
}

TEST(PairVisit, TakesTheSizeOfTheSlowerSideForBoth) {
    FakePair pair;
    pair.b.cost_ns["python"] = 30'000;
    pair.b.unroll = 1;
    const core::PairVisit visit = pair.visit();
    EXPECT_EQ(visit.n, 16u);
    EXPECT_EQ(visit.unroll, 1);
    for (const Side side : {Side::kA, Side::kB}) {
        for (const Value& place : pair.requests(side, "place")) EXPECT_EQ(place["unroll"].as_int(), 1);
        for (const Value& request : pair.requests(side, "measure")) {
            ASSERT_THAT(request["steps"].as_list(), SizeIs(1)) << "one batch at a time";
            EXPECT_EQ(request["steps"].as_list()[0].as_list(), (core::List{"python", 16, 4, 0}));
        }
    }
}

TEST(PairVisit, KeepsAGivenSizeAndAsksForNoEstimate) {
    FakePair pair;
    const core::PairVisit visit = pair.visit(unhurried_pair(), PairSize{50, 5});
    EXPECT_EQ(visit.n, 50u);
    EXPECT_EQ(visit.unroll, 5);
    for (const Side side : {Side::kA, Side::kB}) {
        EXPECT_EQ(pair.requests(side, "prepare").at(0)["unroll"].as_int(), 5);
        EXPECT_EQ(pair.requests(side, "measure").at(7)["steps"].as_list()[0].as_list(),
                  (core::List{"python", 50, 15, 0}));
    }
}

TEST(PairVisit, PreparesThePythonRungAlone) {
    FakePair pair;
    (void)pair.visit();
    EXPECT_EQ(pair.requests(Side::kA, "prepare").at(0)["rungs"].as_list(), (core::List{"python"}));
}

TEST(PairVisit, MeasuresABBAOrBAABAndSaysWhich) {
    FakePair pair;
    const core::PairVisit visit = pair.visit();
    std::string order;
    for (const auto& [side, operation] : pair.asked)
        if (operation == "measure") order += side == Side::kA ? 'a' : 'b';
    std::set<std::string> seen;
    ASSERT_EQ(order.size(), 4 * visit.quads.size());
    for (std::size_t i = 0; i < visit.quads.size(); ++i) {
        const std::string quad = order.substr(4 * i, 4);
        EXPECT_EQ(quad, visit.quads[i].begins_with_a ? "abba" : "baab");
        seen.insert(quad);
    }
    EXPECT_THAT(seen, SizeIs(2));
}

TEST(PairVisit, KeepsTheSamplesOfASideInTheOrderMeasured) {
    FakePair pair;
    int batches = 0;
    pair.intercept = [&](Side, const Value& request) -> Expected<Value> {
        if (request["op"].as_text() != "measure") return Value();
        const double wall_ns = ++batches;
        return Value(Map{{"samples", core::List{core::List{2000, wall_ns, wall_ns}}}});
    };
    PairSettings settings = unhurried_pair();
    settings.quads = 2;
    const core::PairVisit visit = pair.visit(settings);
    for (std::size_t i = 0; i < 2; ++i) {
        const core::PairQuad& quad = visit.quads.at(i);
        const auto& outer = quad.begins_with_a ? quad.a : quad.b;
        const auto& inner = quad.begins_with_a ? quad.b : quad.a;
        const double base = 4.0 * static_cast<double>(i);
        EXPECT_EQ(outer[0].wall_ns, base + 1);
        EXPECT_EQ(inner[0].wall_ns, base + 2);
        EXPECT_EQ(inner[1].wall_ns, base + 3);
        EXPECT_EQ(outer[1].wall_ns, base + 4);
    }
}

TEST(PairVisit, PlacesBothSidesAnewForEveryQuadWithSeedsOfTheirOwn) {
    FakePair pair;
    (void)pair.visit();
    std::set<std::int64_t> seeds;
    for (const Side side : {Side::kA, Side::kB}) {
        EXPECT_THAT(pair.requests(side, "place"), SizeIs(24));
        for (const Value& place : pair.requests(side, "place")) seeds.insert(place["seed"].as_int());
    }
    EXPECT_THAT(seeds, SizeIs(48));
}

TEST(PairVisit, DrawsWhichSideIsPlacedFirst) {
    FakePair pair;
    (void)pair.visit();
    int changes = 0, places = 0;
    Side last = Side::kA;
    for (const auto& [side, operation] : pair.asked)
        if (operation == "place") {
            if (places++ % 2 == 0) {
                changes += side != last ? 1 : 0;
                last = side;
            }
        }
    EXPECT_GT(changes, 4);
    EXPECT_LT(changes, 20);
}

TEST(PairVisit, InjectsWorkIntoSideBAlone) {
    for (const double ratio : {0.05, -0.05}) {
        FakePair pair;
        PairSettings settings = unhurried_pair();
        settings.injected_ratio = ratio;
        const core::PairVisit visit = pair.visit(settings);
        for (const core::PairQuad& quad : visit.quads) {
            EXPECT_EQ(quad.a[0].n, visit.n);
            EXPECT_DOUBLE_EQ(static_cast<double>(quad.b[1].n), static_cast<double>(visit.n) * (1 + ratio));
            EXPECT_DOUBLE_EQ(quad.b[0].wall_ns / quad.a[0].wall_ns, 1 + ratio);
        }
    }
}

TEST(PairVisit, ChargesAFailureToItsSideAndKeepsWhatWasMeasured) {
    FakePair pair;
    int batches = 0;
    pair.intercept = [&](Side side, const Value& request) -> Expected<Value> {
        if (side == Side::kB && request["op"].as_text() == "measure" && ++batches > 6)
            return core::fail(ErrorCode::kWorkerDied, "the worker died");
        return Value();
    };
    const core::PairVisit visit = pair.visit();
    EXPECT_THAT(visit.errors, ElementsAre(Field(&core::SideError::side, Side::kB)));
    EXPECT_THAT(visit.quads, SizeIs(3));
    EXPECT_EQ(visit.n, 2000u);
}

TEST(PairVisit, ThatCannotBePreparedSaysWhyForEachSide) {
    FakePair pair;
    pair.intercept = [](Side, const Value& request) -> Expected<Value> {
        if (request["op"].as_text() == "prepare") return core::fail(ErrorCode::kCaseFailed, "no such name");
        return Value();
    };
    const core::PairVisit visit = pair.visit();
    EXPECT_THAT(visit.errors,
                UnorderedElementsAre(Field(&core::SideError::side, Side::kA), Field(&core::SideError::side, Side::kB)));
    EXPECT_THAT(visit.quads, IsEmpty());
    EXPECT_EQ(visit.n, 0u);
}

TEST(PairVisit, FailsOnTheSideWhosePlacementFails) {
    FakePair pair;
    pair.intercept = fails_on(Side::kA, "place");
    const core::PairVisit visit = pair.visit();
    EXPECT_THAT(visit.errors, ElementsAre(Field(&core::SideError::side, Side::kA)));
    EXPECT_THAT(visit.quads, IsEmpty());
}

TEST(PairVisit, AsksNothingMoreAfterAnInterruption) {
    FakePair pair;
    pair.intercept = [](Side, const Value&) -> Expected<Value> {
        return core::fail(ErrorCode::kInterrupted, "interrupted");
    };
    EXPECT_THAT(pair.visit().errors, SizeIs(1));
    EXPECT_THAT(pair.asked, SizeIs(1));
}

TEST(PairVisit, OfACaseThatHangsNamesTheOptionThatGivesItTime) {
    FakePair pair;
    pair.intercept = fails_on(Side::kB, "measure", ErrorCode::kTimeout);
    const core::PairVisit visit = pair.visit();
    ASSERT_THAT(visit.errors, SizeIs(1));
    EXPECT_THAT(visit.errors[0].error.hint, HasSubstr("--time-limit"));
}

TEST(PairVisit, FailsWhereASidePrintsWhileItIsMeasured) {
    FakePair pair;
    pair.intercept = [&](Side side, const Value& request) -> Expected<Value> {
        if (side == Side::kB && request["op"].as_text() == "measure")
            pair.b.output = {.out = "hello", .err = "careful"};
        return Value();
    };
    const core::PairVisit visit = pair.visit();
    ASSERT_THAT(visit.errors, SizeIs(1));
    EXPECT_EQ(visit.errors[0].side, Side::kB);
    EXPECT_THAT(visit.errors[0].error.what, HasSubstr("hello"));
    EXPECT_THAT(visit.warnings, ElementsAre(HasSubstr("side b: wrote to stderr: careful")));
}

TEST(PairVisit, DoesNotFailWhereASidePrintsInItsSetUp) {
    FakePair pair;
    pair.intercept = [&](Side side, const Value& request) -> Expected<Value> {
        if (side == Side::kA && request["op"].as_text() == "place") pair.a.output = {.out = "hello", .err = "careful"};
        return Value();
    };
    const core::PairVisit visit = pair.visit();
    EXPECT_THAT(visit.errors, IsEmpty());
    EXPECT_THAT(visit.warnings, ElementsAre(HasSubstr("side a: set-up or warm-up wrote to stderr: careful"))) << "once";
}

TEST(PairVisit, FailsWhereASideLeavesTheInterpreterChanged) {
    FakePair pair;
    pair.intercept = [](Side side, const Value& request) -> Expected<Value> {
        if (side == Side::kB && request["op"].as_text() == "finish")
            return Value(Map{{"changes", core::List{"np.seterr changed"}}});
        return Value();
    };
    const core::PairVisit visit = pair.visit();
    ASSERT_THAT(visit.errors, SizeIs(1));
    EXPECT_EQ(visit.errors[0].side, Side::kB);
    EXPECT_THAT(visit.errors[0].error.what, HasSubstr("np.seterr changed"));
}

TEST(PairVisit, OfASlowCaseHasFewerQuadsButTheLeastNumber) {
    FakePair pair;
    pair.intercept = [](Side, const Value& request) -> Expected<Value> {
        if (request["op"].as_text() == "place") std::this_thread::sleep_for(std::chrono::milliseconds(5));
        return Value();
    };
    PairSettings settings;
    settings.visit_budget_ns = 1e6;
    const core::PairVisit visit = pair.visit(settings);
    EXPECT_THAT(visit.quads, SizeIs(settings.min_quads));
    EXPECT_THAT(visit.errors, IsEmpty());
}

TEST(PairVisit, IsTheSameForTheSameSeed) {
    FakePair one, two;
    EXPECT_EQ(one.visit().quads, two.visit().quads);
    EXPECT_EQ(one.asked, two.asked);
    EXPECT_EQ(one.a.requests, two.a.requests);
}

}  // namespace
}  // namespace tare::measure
