// At stake: a counter that opens and lies is bad, one that the kernel refuses is only missing; nothing stays open.
#include "pmu/counting_facts.h"

#include <gmock/gmock.h>

#include "pmu/fake_perf_kernel.h"
#include "pmu/fitness.h"

namespace tare::pmu {
namespace {

using core::CounterRole;
using core::List;
using core::Value;

std::vector<core::CounterRequest> requests() {
    return {counter("instructions", CounterRole::kInstructions), counter("branches", CounterRole::kBranches),
            counter("task_clock", CounterRole::kTaskClock, core::CounterSource::kSoftware)};
}

CountingSurroundings guest() {
    CountingSurroundings surroundings;
    surroundings.hypervisor = true;
    surroundings.paranoid = 2;
    return surroundings;
}

CountingSurroundings server() {
    CountingSurroundings surroundings;
    surroundings.has_core_pmu = true;
    surroundings.privileged = true;
    return surroundings;
}

core::Finding pmu_finding(const Value& facts) {
    for (const core::Finding& each : fitness(facts).findings)
        if (each.topic == "pmu") return each;
    return {};
}

TEST(CountingFacts, OfAGuestWithoutAPmuAreRefusalsWithTheReasonOnce) {
    FakePerfKernel kernel;
    kernel.refuse_all = ENOENT;
    const Value facts = counting_facts(requests(), {}, guest(), kernel);
    EXPECT_EQ(facts["core_pmus"], Value(List{}));
    EXPECT_EQ(facts["privileged"], Value(false));
    ASSERT_EQ(facts["counters"].as_list().size(), 2u) << "software counters are not asked";
    EXPECT_EQ(facts["counters"].as_list()[0]["state"], Value("unavailable"));
    EXPECT_EQ(facts["counters"].as_list()[0]["errno"], Value("ENOENT"));
    const core::Finding finding = pmu_finding(facts);
    EXPECT_EQ(finding.state, core::FitnessState::kCouldBeBetter);
    EXPECT_THAT(finding.found, testing::StartsWith("not counted: instructions and branches: ENOENT: "));
    EXPECT_EQ(finding.remedies.size(), 1u);
}

TEST(CountingFacts, OfCountersThatReadNothingAreSuspectAndBad) {
    FakePerfKernel kernel;  // every counter opens and stays at 0
    const Value facts = counting_facts(requests(), {{.name = "cpu", .type = 4, .cpus = {}}}, server(), kernel);
    EXPECT_EQ(facts["core_pmus"], Value(List{"cpu"}));
    EXPECT_EQ(facts["privileged"], Value(true));
    EXPECT_EQ(facts["counters"].as_list()[0]["state"], Value("suspect"));
    EXPECT_EQ(pmu_finding(facts).state, core::FitnessState::kBad);
    EXPECT_EQ(kernel.open_descriptors(), 0u);
    EXPECT_EQ(kernel.bad_calls, 0);
}

TEST(CountingFacts, OfCountersThatReadWhatHappenedAreGood) {
    FakePerfKernel kernel;
    kernel.steps = {{"instructions", 2'000'100}, {"branches", 1'000'050}};
    const Value facts = counting_facts(requests(), {{.name = "cpu", .type = 4, .cpus = {}}}, server(), kernel);
    EXPECT_EQ(pmu_finding(facts).found, "instructions and branches count and pass the self-test");
}

TEST(CountingFacts, LeaveOutWhatTheCpuCannotCountByDesign) {
    FakePerfKernel kernel;
    std::vector<core::CounterRequest> asked{counter("llc_misses", CounterRole::kLlcMisses)};
    asked[0].problem = core::CounterProblem{"", "the L3 counts for all cores together", ""};
    const Value facts = counting_facts(asked, {}, {}, kernel);
    EXPECT_TRUE(facts["counters"].is_nil());
    EXPECT_EQ(pmu_finding(facts).found, "no hardware counter was asked for");
}

}  // namespace
}  // namespace tare::pmu
