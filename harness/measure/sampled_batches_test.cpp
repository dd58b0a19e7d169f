// At stake: times that sampling must not touch. Sampled batches are others than the timed ones, each has one beside it
// that is not sampled, and no batch fills the memory for samples.
#include "harness/measure/sampled_batches.h"

#include <gmock/gmock.h>

#include "harness/measure/fake_worker.h"
#include "harness/measure/unhurried_for_test.h"
#include "harness/measure/visitor.h"

namespace tare::measure {
namespace {

using core::ErrorCode;
using core::Map;
using core::Value;
using testing::DoubleNear;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

/// A worker that samples, at 2 % more time, and what `bench` would do with the samples.
struct Bed {
    FakeWorker worker;
    VisitSettings settings = unhurried();
    std::vector<core::SampledVisit> done;
    int takes = 0;

    Bed() {
        worker.cost_ns = {{"python", 1000}, {"floor", 80}};
        worker.unroll = 8;
        worker.intercept = [](const Value& request) -> core::Expected<Value> {
            if (request["op"].as_text() == "sample")
                return Value(Map{{"clock", 1}, {"sees_kernel", true}, {"fallback_reason", ""}, {"python_problem", ""}});
            if (!request["sampled"].as_bool()) return Value();
            const core::List& step = request["steps"].as_list().front().as_list();
            const double ns = 1020.0 * static_cast<double>(step[1].as_int());
            return Value(Map{{"samples", core::List{core::List{step[1], ns, ns}}}});
        };
        settings.sampling.emplace();
        settings.sampling->ring = [] { return std::string("/proc/1/fd/3"); };
        settings.sampling->take = [this] { ++takes; };
        settings.sampling->done = [this](const core::SampledVisit& visit) -> core::Status {
            done.push_back(visit);
            return {};
        };
    }
    core::Visit visit() { return visit_case(worker, fake_cases(1).front(), settings, {.round = 2, .process = 3}); }

    [[nodiscard]] std::vector<std::string> operations() const {
        std::vector<std::string> names;
        for (const Value& request : worker.requests)
            names.push_back(request["sampled"].as_bool() ? "sampled" : request["op"].as_text());
        return names;
    }
};

TEST(SampledBatches, ComeAfterAllThatAreTimedAndLeaveThemAsTheyWere) {
    Bed sampling;
    Bed plain;
    plain.settings.sampling.reset();
    const core::Visit with = sampling.visit();
    const core::Visit without = plain.visit();
    EXPECT_EQ(with.rungs, without.rungs);
    const std::vector<std::string> before = plain.operations();
    std::vector<std::string> same = sampling.operations();
    ASSERT_GT(same.size(), before.size());
    same.resize(before.size() - 2);  // all but `repeats` and `finish`
    EXPECT_EQ(same, std::vector(before.begin(), before.end() - 2));
    EXPECT_EQ(sampling.operations()[before.size() - 2], "sample");
}

TEST(SampledBatches, HaveAsManyBesideThemInTurns) {
    Bed bed;
    const core::Visit visit = bed.visit();
    ASSERT_FALSE(visit.error) << visit.error->what;
    ASSERT_THAT(bed.done, SizeIs(1));
    const core::SampledVisit& sampled = bed.done.front();
    EXPECT_EQ(sampled.round, 2);
    EXPECT_EQ(sampled.process, 3);
    EXPECT_THAT(sampled.sampled, SizeIs(20)) << "100 ms in batches of 5";
    EXPECT_EQ(sampled.beside.size(), sampled.sampled.size());
    EXPECT_EQ(bed.takes, 20);
    EXPECT_THAT(sampled.loop_ns, DoubleNear(10, 1e-9)) << "80 ns a pass of 8";
    std::string order;
    for (const std::string& name : bed.operations()) order += name == "sampled" ? 's' : name == "measure" ? 'u' : '|';
    order = order.substr(order.find("||") + 1);  // `sample`, then the first `place`
    EXPECT_THAT(order, testing::MatchesRegex("(\\|(suus|ussu))+\\|\\|\\|"));
    EXPECT_THAT(order, testing::AllOf(HasSubstr("suus"), HasSubstr("ussu"))) << "drawn";
}

TEST(SampledBatches, EndTheSamplingBeforeTheCaseIsDropped) {
    Bed bed;
    (void)bed.visit();
    const std::vector<std::string> all = bed.operations();
    EXPECT_THAT(std::vector(all.end() - 3, all.end()), ElementsAre("sample", "repeats", "finish"));
    EXPECT_EQ(bed.worker.requests[all.size() - 3]["rate_hz"].as_double(), 0);
}

TEST(SampledBatches, ThatCannotBeSampledCostTheVisitNothing) {
    Bed bed;
    bed.worker.intercept = [](const Value& request) -> core::Expected<Value> {
        if (request["op"].as_text() == "sample") return core::fail(ErrorCode::kEnvironment, "cannot sample: EPERM");
        return Value();
    };
    const core::Visit visit = bed.visit();
    EXPECT_FALSE(visit.error);
    ASSERT_THAT(bed.done, SizeIs(1));
    ASSERT_TRUE(bed.done.front().error);
    EXPECT_THAT(bed.done.front().error->what, HasSubstr("EPERM"));
    EXPECT_EQ(bed.takes, 0);
}

TEST(SampledBatches, InWhichTheWorkerDiesFailTheVisitWithItsTimesKept) {
    Bed bed;
    const auto samples = bed.worker.intercept;
    bed.worker.intercept = [samples](const Value& request) -> core::Expected<Value> {
        if (request["sampled"].as_bool()) return core::fail(ErrorCode::kWorkerDied, "the worker died");
        return samples(request);
    };
    const core::Visit visit = bed.visit();
    ASSERT_TRUE(visit.error);
    EXPECT_FALSE(visit.rungs.empty());
    EXPECT_THAT(bed.done, SizeIs(0));
}

TEST(SamplingPlans, FillBatchesOfTenMillisecondsWithWholePasses) {
    const SamplingPlan plan = plan_sampling({StepKind::kPython, 303}, 8, {});
    EXPECT_EQ(plan.step.n % 8, 0U);
    EXPECT_THAT(static_cast<double>(plan.step.n) * 303, DoubleNear(10e6, 8 * 303));
    EXPECT_EQ(plan.quads, 10);
    EXPECT_EQ(plan.rate_hz, 1000);
}

TEST(SamplingPlans, SampleLongStatementsAtARateThatTheMemoryHolds) {
    SamplingSettings settings;
    for (const double statement_ns : {2e7, 1e9, 1e10}) {
        const SamplingPlan plan = plan_sampling({StepKind::kPython, statement_ns}, 1, settings);
        EXPECT_EQ(plan.step.n, 1U);
        EXPECT_LE(plan.rate_hz * statement_ns * 1e-9, static_cast<double>(settings.most_samples) * 1.001);
        EXPECT_GT(plan.rate_hz, 0);
    }
    EXPECT_EQ(plan_sampling({StepKind::kPython, 1e9}, 1, settings).quads, 0) << "one batch of each is enough";
}

}  // namespace
}  // namespace tare::measure
