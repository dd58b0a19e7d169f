// At stake: the same samples give the same verdicts, bit for bit, whoever reads them and whichever side is called a.
#include "harness/record/duet.h"

#include <gmock/gmock.h>

#include "harness/record/sample_duet.h"

namespace tare::record {
namespace {

using stats::Reason;
using stats::Verdict;
using testing::Each;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<Verdict> verdicts_of(const std::vector<CaseVerdict>& verdicts) {
    std::vector<Verdict> list;
    for (const CaseVerdict& verdict : verdicts) list.push_back(verdict.state.finding.verdict);
    return list;
}

TEST(Duet, FindsWhatChangedAndNothingElse) {
    const std::vector<CaseVerdict> verdicts = decide(sample_duet());
    EXPECT_THAT(verdicts_of(verdicts),
                testing::ElementsAre(Verdict::kSame, Verdict::kSlower, Verdict::kFaster, Verdict::kSlower,
                                     Verdict::kInconclusive, Verdict::kInconclusive, Verdict::kInconclusive,
                                     Verdict::kInconclusive, Verdict::kSame));
    EXPECT_NEAR(verdicts[1].state.finding.contrast->ratio(), 1.05, 0.01);
    EXPECT_NEAR(*verdicts[1].a_ns, 300, 3);
    EXPECT_NEAR(*verdicts[1].b_ns, 315, 4);
    EXPECT_EQ(verdicts[7].error->side, core::Side::kB);
    EXPECT_FALSE(verdicts[7].failed_on_both);
    EXPECT_FALSE(verdicts[5].a_ns);
}

/// A neighbour slowed side a of most pairs, in single batches: its median alone would make b the faster one.
TEST(Duet, ShowsTimesThatDifferByTheChangeItFound) {
    Duet duet = sample_duet();
    for (core::PairVisit& visit : duet.visits)
        if (visit.round % 3 != 0)
            for (std::size_t i = 0; i < visit.quads.size(); i += 2) visit.quads[i].a[0].wall_ns *= 1.6;
    for (const CaseVerdict& verdict : decide(duet)) {
        if (!verdict.state.finding.contrast) continue;
        EXPECT_NEAR(*verdict.b_ns / *verdict.a_ns, verdict.state.finding.contrast->ratio(), 1e-9);
    }
}

TEST(Duet, SaysOfACaseThatFailedOnBothSidesThatItDid) {
    Duet duet = sample_duet();
    for (core::PairVisit& visit : duet.visits)
        if (!visit.errors.empty()) visit.errors.push_back({core::Side::kA, visit.errors.front().error});
    EXPECT_TRUE(decide(duet)[7].failed_on_both);
    EXPECT_EQ(decide(duet)[7].error->side, core::Side::kB);
}

TEST(Duet, SeriesHoldOneValueAPairOfEachCaseThatBothSidesHave) {
    const Duet duet = sample_duet();
    const std::vector<stats::CaseSeries> suite = series_of(duet);
    ASSERT_THAT(suite, SizeIs(7));
    EXPECT_THAT(suite[5].values, SizeIs(2)) << "crash: two rounds before the one that failed";
    EXPECT_EQ(suite[5].last_round, 2);
    EXPECT_FALSE(suite[0].last_round);
}

TEST(Duet, TakesTheNominalNOnBothSidesSoThatInjectedWorkShows) {
    std::mt19937_64 random(3);
    core::PairVisit visit = sample_pair_visit(random, {"x", 0, 0}, 0);
    const double before = estimate_of(visit)->log_ratio;
    for (core::PairQuad& quad : visit.quads)
        for (core::Sample& sample : quad.b) {
            sample.n = visit.n * 21 / 20;
            sample.wall_ns *= 1.05;
        }
    EXPECT_NEAR(estimate_of(visit)->log_ratio - before, std::log(1.05), 1e-12);
}

TEST(Duet, HasNoEstimateOfAVisitThatFailedOrMeasuredNothing) {
    std::mt19937_64 random(3);
    const core::PairVisit good = sample_pair_visit(random, {"x"}, 0);
    EXPECT_TRUE(estimate_of(good));
    core::PairVisit visit = good;
    visit.errors = {{core::Side::kA, {}}};
    EXPECT_FALSE(estimate_of(visit));
    visit = good;
    visit.n = 0;
    EXPECT_FALSE(estimate_of(visit));
    visit = good;
    visit.quads[3].b[1].wall_ns = 0;
    EXPECT_FALSE(estimate_of(visit));
}

TEST(Duet, OfSwappedSidesHasTheMirroredVerdicts) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        const Duet duet = sample_duet(seed);
        const std::vector<CaseVerdict> straight = decide(duet), swapped = decide(mirrored(duet));
        ASSERT_EQ(straight.size(), swapped.size());
        for (std::size_t i = 0; i < straight.size(); ++i) {
            const stats::Finding& own = straight[i].state.finding;
            const stats::Finding& other = swapped[i].state.finding;
            EXPECT_EQ(stats::mirrored(own.verdict), other.verdict) << straight[i].selected.name;
            EXPECT_EQ(own.reason, other.reason);
            EXPECT_EQ(own.pairs, other.pairs);
            EXPECT_EQ(straight[i].a_ns, swapped[i].b_ns);
            EXPECT_EQ(straight[i].b_ns, swapped[i].a_ns);
            if (own.contrast) {
                EXPECT_EQ(stats::mirrored(*own.contrast), *other.contrast);
            }
            if (straight[i].error) {
                EXPECT_NE(straight[i].error->side, swapped[i].error->side);
            }
        }
        EXPECT_EQ(mirrored(mirrored(duet)), duet);
        EXPECT_NE(mirrored(duet).visits[0].quads[0].begins_with_a, duet.visits[0].quads[0].begins_with_a);
    }
}

TEST(Duet, SaysInCapitalsWhichSideDidInjectedWork) {
    Duet duet = sample_duet();
    EXPECT_EQ(injection_notice(duet), "");
    core::Map settings = duet.settings.as_map();
    settings.insert_or_assign("injected_ratio", 0.05);
    duet.settings = settings;
    EXPECT_EQ(injection_notice(duet),
              "WORK WAS INJECTED: SIDE B EXECUTED 5 % MORE; THIS IS NO COMPARISON OF TWO BUILDS");
    EXPECT_THAT(injection_notice(mirrored(duet)), testing::HasSubstr("SIDE A EXECUTED 5 % MORE"));
    EXPECT_EQ(mirrored(mirrored(duet)), duet);
    settings.insert_or_assign("injected_ratio", -0.03);
    duet.settings = settings;
    EXPECT_THAT(injection_notice(duet), testing::HasSubstr("SIDE B EXECUTED 3 % LESS"));
}

TEST(Duet, LeavesOutARoundThatWasBrokenOffUntilItIsContinued) {
    Duet duet = sample_duet(1, {{"a", 0, 0.02}, {"b", std::log(1.05), 0.02}}, 10);
    const std::vector<CaseVerdict> before = decide(duet);
    std::mt19937_64 random(9);
    duet.visits.push_back(sample_pair_visit(random, {"a", 1.0}, 10));
    ASSERT_EQ(before[0].state.finding.pairs, 10);
    EXPECT_EQ(decide(duet)[0].state, before[0].state);
    duet.ended_after_rounds.push_back(10);
    EXPECT_EQ(decide(duet)[0].state.finding.pairs, 11);
}

TEST(Duet, GivesAContinuedDuetWhatItGaveLive) {
    Duet duet = sample_duet(4, {{"a", 0, 0.02}, {"b", 0.01, 0.08}, {"c", 0, 0.004}}, 13);
    std::vector<stats::CaseState> live;
    for (int round = 0; round <= 12; ++round)
        live = stats::advance(std::move(live), series_of(duet), duet.rules, round, false);
    live = stats::reopened(stats::advance(std::move(live), series_of(duet), duet.rules, 12, true));
    std::mt19937_64 random(5);
    for (int round = 13; round < 20; ++round) {
        duet.visits.push_back(sample_pair_visit(random, {"b", 0.01, 0.08}, round));
        live = stats::advance(std::move(live), series_of(duet), duet.rules, round, false);
    }
    live = stats::advance(std::move(live), series_of(duet), duet.rules, 19, true);
    duet.ended_after_rounds = {12, 19};
    const std::vector<CaseVerdict> replayed = decide(duet);
    for (std::size_t i = 0; i < live.size(); ++i) EXPECT_EQ(replayed[i].state, live[i]) << i;
    EXPECT_EQ(replayed[1].state.finding.pairs, 20);
}

TEST(Placement, CapsWhatASteadyOffsetCouldBeOrHide) {
    Duet duet = sample_duet();
    const std::vector<CaseVerdict> free = decide(duet);
    duet.page_cache.refused = "/env/a/_multiarray_umath.so: Operation not permitted";
    const std::vector<CaseVerdict> capped_verdicts = decide(duet);
    for (const std::size_t unsure : {0U, 1U, 8U}) {
        EXPECT_EQ(capped_verdicts[unsure].state.finding.verdict, Verdict::kInconclusive) << unsure;
        EXPECT_EQ(capped_verdicts[unsure].state.finding.reason, Reason::kPlacement);
        EXPECT_EQ(capped_verdicts[unsure].state.finding.contrast, free[unsure].state.finding.contrast);
    }
    EXPECT_EQ(capped_verdicts[3], free[3]) << "+30 % is no placement";
    EXPECT_EQ(capped_verdicts[4], free[4]) << "its own reason stands";
    EXPECT_EQ(capped(capped_verdicts, duet.page_cache), capped_verdicts);
    duet.page_cache.files.clear();
    EXPECT_EQ(decide(duet), free) << "no file that is mapped by one side only";
}

TEST(Placement, AsksForAProofBeyondEightPerCentInEitherDirection) {
    const PageCacheRedraw refused{{"x.so"}, 0, 10, "x.so: EPERM"};
    const auto verdict_at = [&](double low, double high) {
        CaseVerdict verdict;
        verdict.state.finding.verdict = low > 1 ? Verdict::kSlower : Verdict::kFaster;
        verdict.state.finding.reason = Reason::kNone;
        verdict.state.finding.ratio_interval_kept = stats::Interval{low, high};
        return capped({verdict}, refused)[0].state.finding.verdict;
    };
    EXPECT_EQ(verdict_at(1.081, 1.12), Verdict::kSlower);
    EXPECT_EQ(verdict_at(1.079, 1.12), Verdict::kInconclusive);
    EXPECT_EQ(verdict_at(0.85, 1 / 1.081), Verdict::kFaster);
    EXPECT_EQ(verdict_at(0.85, 1 / 1.079), Verdict::kInconclusive);
    CaseVerdict same;  // within a bound of 20 %
    same.state.finding.verdict = Verdict::kSame;
    same.state.finding.ratio_interval_kept = stats::Interval{1.09, 1.12};
    EXPECT_EQ(capped({same}, refused)[0].state.finding.verdict, Verdict::kInconclusive);
}

}  // namespace
}  // namespace tare::record
