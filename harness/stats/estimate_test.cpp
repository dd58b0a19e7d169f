// At stake: gross, net, tare and the ratio to the scalar baseline, recovered exactly from batches of known cost.
#include "harness/stats/estimate.h"

#include <gmock/gmock.h>

#include "harness/core/drift_warning.h"
#include "harness/stats/simulate.h"

namespace tare::stats {
namespace {

using core::RungKind;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

core::Visit array_visit(int round, double gross_ns, double net_ns) {
    return visit_of(
        "add[kind=array,dtype=f8,n=8]", round,
        {rung_of_values(RungKind::kPython,
                        {gross_ns, gross_ns, gross_ns, gross_ns + 1, gross_ns + 2, gross_ns + 2, gross_ns + 2}, 5, 10),
         rung_of_values(RungKind::kNative, std::vector<double>(7, net_ns), 1)});
}

core::Visit scalar_visit(int round, double gross_ns) {
    return visit_of("add[kind=float]", round,
                    {rung_of_values(RungKind::kPython, std::vector<double>(7, gross_ns), 5, 10)});
}

/// Beside neighbours 1.5 % of visits warned, and with them 5 of 80 cases in each run.
TEST(Estimate, HasADriftWarningThatHalfOfItsVisitsGive) {
    const std::string falls = std::string(core::kCostFalls) + ": make anew";
    const auto warnings_of = [&](int warned, int rounds) {
        std::vector<core::Visit> visits;
        for (int round = 0; round < rounds; ++round) {
            visits.push_back(array_visit(round, 100, 20));
            if (round < warned) visits.back().warnings = {falls};
            if (round == 0) visits.back().warnings.emplace_back("said in one process");
        }
        return estimate_cases(visits).front().warnings;
    };
    EXPECT_THAT(warnings_of(4, 10), ElementsAre("said in one process"));
    EXPECT_THAT(warnings_of(5, 10), ElementsAre(falls, "said in one process"));
    EXPECT_THAT(warnings_of(1, 1), ElementsAre(falls, "said in one process"));
}

TEST(Estimate, SubtractsTheFloorOfEachPassFromAnUnrolledRung) {
    core::RungVisit rung;
    rung.unroll = 10;
    rung.floor_ns = 40;
    rung.samples = {{1000, 100'000 + 100 * 40, 0}};  // 100 passes
    const CaseEstimate estimate = estimate_cases({visit_of("x", 0, {rung})}).front();
    EXPECT_THAT(estimate.time_ns(RungKind::kPython)->value, DoubleNear(100, 1e-9));
}

TEST(Estimate, TakesAFloorRungAsItIs) {
    core::RungVisit rung;
    rung.kind = RungKind::kFloor;
    rung.samples = {{200, 1000, 0}};
    EXPECT_THAT(estimate_cases({visit_of("x", 0, {rung})}).front().time_ns(RungKind::kFloor)->value,
                DoubleNear(5, 1e-9));
}

TEST(Estimate, IsTheMedianOfProcessMediansWithATIntervalOverThem) {
    const auto cases = estimate_cases({array_visit(0, 99, 10), array_visit(1, 109, 10), array_visit(2, 199, 10)});
    const Estimate gross = *cases.front().time_ns(RungKind::kPython);
    EXPECT_THAT(gross.value, DoubleNear(110, 1e-9));
    EXPECT_EQ(gross.basis, IntervalBasis::kProcesses);
    EXPECT_EQ(gross.processes, 3);
    EXPECT_EQ(gross.interval, log_t_interval(std::vector<double>{100, 110, 200}));
    EXPECT_THAT(cases.front().rung(RungKind::kPython)->smallest_ns, DoubleNear(99, 1e-9));
    EXPECT_THAT(cases.front().rung(RungKind::kPython)->mad_ns, DoubleNear(1, 1e-9));
}

TEST(Estimate, PairsTheTareInsideEachProcess) {
    // the processes differ by 100 ns, gross - net is 90 in each: an unpaired interval would be hundreds wide
    const auto cases = estimate_cases({array_visit(0, 99, 10), array_visit(1, 199, 110), array_visit(2, 299, 210)});
    ASSERT_TRUE(cases.front().tare_ns);
    EXPECT_THAT(cases.front().tare_ns->value, DoubleNear(90, 1e-9));
    EXPECT_THAT(cases.front().tare_ns->interval->low, DoubleNear(90, 1e-6));
    EXPECT_THAT(cases.front().tare_share_ratio->value, DoubleNear(90.0 / 200, 1e-9));
}

TEST(Estimate, ShowsNoTareWhereNetExceedsGross) {
    const auto cases = estimate_cases({array_visit(0, 99, 150), array_visit(1, 100, 152), array_visit(2, 101, 151)});
    EXPECT_FALSE(cases.front().tare_ns);
    EXPECT_FALSE(cases.front().tare_share_ratio);
    EXPECT_TRUE(cases.front().net_exceeds_gross);
    EXPECT_THAT(cases.front().tare_reason, HasSubstr("not the bare kernel"));
}

TEST(Estimate, DoesNotBlameTheNativeRungForNoise) {
    const auto cases = estimate_cases({array_visit(0, 99, 130), array_visit(1, 99, 101), array_visit(2, 99, 80)});
    EXPECT_FALSE(cases.front().tare_ns);
    EXPECT_FALSE(cases.front().net_exceeds_gross);
    EXPECT_TRUE(cases.front().tare_unresolved);
}

TEST(Estimate, GivesTheReasonOfAMissingNativeRung) {
    core::Visit visit = scalar_visit(0, 20);
    visit.problems = {{RungKind::kNative, "no inner loop for this dtype"}};
    EXPECT_EQ(estimate_cases({visit}).front().tare_reason, "no inner loop for this dtype");
    EXPECT_EQ(estimate_cases({scalar_visit(0, 20)}).front().tare_reason, "no native rung was measured");
}

TEST(Estimate, PairsTheScalarRatioByRound) {
    const auto cases = estimate_cases({array_visit(0, 99, 1), scalar_visit(0, 10), scalar_visit(1, 20),
                                       array_visit(1, 199, 1), array_visit(2, 299, 1), scalar_visit(2, 30)});
    EXPECT_EQ(cases[0].scalar_case, "add[kind=float]");
    EXPECT_TRUE(cases[0].scalar_paired);
    EXPECT_THAT(cases[0].scalar_ratio->value, DoubleNear(10, 1e-9));
    EXPECT_THAT(cases[0].scalar_ratio->interval->high, DoubleNear(10, 1e-6));
    EXPECT_FALSE(cases[1].scalar_ratio);
    EXPECT_EQ(cases[1].scalar_reason, "this is the scalar baseline");
}

TEST(Estimate, MarksARatioWithoutACommonRoundAsUnpaired) {
    const auto cases =
        estimate_cases({array_visit(0, 99, 1), array_visit(1, 101, 1), scalar_visit(2, 10), scalar_visit(3, 10.1)});
    ASSERT_TRUE(cases[0].scalar_ratio);
    EXPECT_FALSE(cases[0].scalar_paired);
    EXPECT_THAT(cases[0].scalar_ratio->value, DoubleNear(101 / 10.05, 1e-9));
    EXPECT_EQ(cases[0].scalar_ratio->basis, IntervalBasis::kProcesses);
}

TEST(Estimate, TakesTheBaselineThatSharesTheOtherParameters) {
    const auto rung = [](double ns) { return rung_of_values(RungKind::kPython, {ns, ns}); };
    const auto cases = estimate_cases(
        {visit_of("pow[kind=float,exponent=2]", 0, {rung(10)}), visit_of("pow[kind=float,exponent=3]", 0, {rung(20)}),
         visit_of("pow[kind=array,exponent=3,n=8]", 0, {rung(400)}), visit_of("sub[kind=array,n=8]", 0, {rung(400)})});
    EXPECT_EQ(cases[2].scalar_case, "pow[kind=float,exponent=3]");
    EXPECT_THAT(cases[3].scalar_reason, HasSubstr("no case of 'sub' with kind=float"));
}

TEST(Estimate, MarksEveryIntervalOfOneProcess) {
    const CaseEstimate estimate = estimate_cases({array_visit(0, 99, 10), scalar_visit(0, 10)}).front();
    EXPECT_TRUE(estimate.within_one_process);
    EXPECT_EQ(estimate.time_ns(RungKind::kPython)->basis, IntervalBasis::kWithinOneProcess);
    EXPECT_EQ(estimate.tare_ns->basis, IntervalBasis::kWithinOneProcess);
    EXPECT_EQ(estimate.tare_share_ratio->basis, IntervalBasis::kWithinOneProcess);
    EXPECT_EQ(estimate.scalar_ratio->basis, IntervalBasis::kWithinOneProcess);
}

TEST(Estimate, OfOneBatchHasNoInterval) {
    const auto cases = estimate_cases({visit_of("x", 0, {rung_of_values(RungKind::kPython, {5})})});
    EXPECT_FALSE(cases.front().time_ns(RungKind::kPython)->interval);
    EXPECT_EQ(cases.front().time_ns(RungKind::kPython)->basis, IntervalBasis::kNone);
}

TEST(Estimate, OfAFailedCaseKeepsTheRoundsBefore) {
    core::Visit failed = array_visit(1, 5, 1);
    failed.error = core::Error{core::ErrorCode::kWorkerDied, "killed by SIGSEGV", ""};
    const auto cases = estimate_cases({array_visit(0, 99, 10), failed});
    EXPECT_EQ(cases.front().error, failed.error);
    EXPECT_THAT(cases.front().failed_rounds, ElementsAre(1));
    EXPECT_THAT(cases.front().time_ns(RungKind::kPython)->value, DoubleNear(100, 1e-9));
    EXPECT_EQ(cases.front().time_ns(RungKind::kPython)->processes, 1);
}

TEST(Estimate, OfNothingIsNothing) {
    EXPECT_THAT(estimate_cases({}), IsEmpty());
    const auto cases = estimate_cases({visit_of("x", 0, {core::RungVisit{}})});
    EXPECT_THAT(cases.front().rungs, IsEmpty());
    EXPECT_EQ(cases.front().tare_reason, "no python rung was measured");
}

}  // namespace
}  // namespace tare::stats
