// At stake: stored records claim no more than they can. Process-level values only, unequal counts, single processes,
// missing and failed cases behave; what differs between the machines is found.
#include "harness/record/stored_comparison.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

#include "harness/record/comparison_exports.h"
#include "harness/record/comparison_table.h"
#include "harness/record/json.h"
#include "harness/record/sample_duet.h"
#include "harness/record/sample_run.h"
#include "harness/record/stored_differences.h"
#include "harness/stats/variance_prior.h"
#include "harness/stats/welch.h"

namespace tare::record {
namespace {

using stats::Reason;
using stats::Standing;
using stats::Verdict;
using testing::AllOf;
using testing::AnyOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

/// Processes whose medians vary by `process_sd`, each of 9 batches that vary by 1 %.
Record run_of(std::uint64_t seed, const std::vector<std::pair<std::string, double>>& cases, int processes,
              double process_sd = 0.004) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    Record record;
    record.context = core::Map{{"cpu_model", "Z"}, {"host", "embedded"}};
    record.settings = core::Map{{"threads", 1}};
    for (int round = 0; round < processes; ++round)
        for (const auto& [name, gross_ns] : cases) {
            const double level = gross_ns * std::exp(process_sd * normal(random));
            std::vector<double> values;
            for (int i = 0; i < 9; ++i) values.push_back(level * (1 + 0.01 * normal(random)));
            record.visits.push_back(
                stats::visit_of(name, round, {stats::rung_of_values(core::RungKind::kPython, values, 4, 10)}));
        }
    return record;
}

StoredOptions with_sessions(const std::vector<std::string>& cases, double sd) {
    StoredOptions options;
    for (const std::string& name : cases) options.sessions[name] = {sd * sd, 20};
    return options;
}

TEST(StoredRuns, AreComparedByProcessesAndOnlyIndicative) {
    const Comparison comparison = compare_runs(run_of(1, {{"changed", 300}, {"same", 300}}, 10),
                                               run_of(2, {{"changed", 330}, {"same", 300}}, 10), {});
    ASSERT_THAT(comparison.cases, SizeIs(2));
    const ComparedCase& changed = comparison.cases[0];
    EXPECT_EQ(changed.verdict, Verdict::kSlower);
    EXPECT_EQ(changed.standing, Standing::kIndicative);
    EXPECT_THAT(changed.values, ElementsAre(10, 10)) << "processes, not batches";
    EXPECT_NEAR(*changed.ratio, 1.1, 0.01);
    EXPECT_NEAR(*changed.times_ns[0], 300, 3);
    EXPECT_EQ(comparison.cases[1].verdict, Verdict::kSame);
    EXPECT_THAT(comparison.sides, ElementsAre("old", "new"));
    EXPECT_THAT(comparison.notes.back(), HasSubstr("indicative (2 cases)"));
}

TEST(StoredRuns, AreNotFooledByManyBatchesOfFewUnlikeProcesses) {
    // Two processes a side whose levels differ by 4 % between processes: batches pooled over processes would call 5 %
    // of difference certain; the two process values prove nothing.
    const Comparison comparison = compare_runs(run_of(3, {{"x", 300}}, 2, 0.04), run_of(4, {{"x", 315}}, 2, 0.04), {});
    EXPECT_EQ(comparison.cases[0].verdict, Verdict::kInconclusive);
    EXPECT_EQ(comparison.cases[0].reason, Reason::kSpread);
}

TEST(StoredRuns, GateOnceTheVarianceBetweenSessionsIsKnown) {
    const Record before = run_of(1, {{"x", 300}, {"y", 300}}, 8), after = run_of(2, {{"x", 330}, {"y", 330}}, 8);
    const Comparison calm = compare_runs(before, after, with_sessions({"x"}, 0.005));
    EXPECT_EQ(calm.cases[0].verdict, Verdict::kSlower);
    EXPECT_EQ(calm.cases[0].standing, Standing::kGating);
    EXPECT_EQ(calm.cases[1].standing, Standing::kIndicative);
    const Comparison wild = compare_runs(before, after, with_sessions({"x"}, 0.076));
    EXPECT_EQ(wild.cases[0].verdict, Verdict::kInconclusive) << "10 % is nothing where sessions differ by 7.6 %";
    EXPECT_EQ(wild.cases[0].standing, Standing::kGating);
}

/// On a machine whose best is 2,000 cycles, with `l1_cycles` beside the batches of `case_name`, of all cases if empty.
Record beside(Record record, double l1_cycles, const std::string& case_name = {}) {
    core::Map context = record.context.as_map();
    context.insert_or_assign("references", core::Map{{"l1_best_cycles", 2000}, {"alu_best_cycles", 900}});
    record.context = std::move(context);
    for (core::Visit& visit : record.visits)
        for (core::RungVisit& rung : visit.rungs)
            for (core::Sample& sample : rung.samples)
                sample.references = {case_name.empty() || visit.case_name == case_name ? l1_cycles : 2000, 900};
    return record;
}

/// A neighbour that came after the old record was made must not fail a build.
TEST(StoredRuns, OfABusyMachineNeverGate) {
    const Record before = beside(run_of(1, {{"x", 300}}, 8), 2000);
    const Record slower = run_of(2, {{"x", 330}}, 8);
    const StoredOptions options = with_sessions({"x"}, 0.005);
    const Comparison quiet = compare_runs(before, beside(slower, 2000), options);
    EXPECT_EQ(quiet.cases[0].standing, Standing::kGating);
    EXPECT_THAT(quiet.notes, Not(Contains(HasSubstr("busy:"))));
    const Comparison busy = compare_runs(before, beside(slower, 3000), options);
    EXPECT_EQ(busy.cases[0].verdict, Verdict::kInconclusive);
    EXPECT_EQ(busy.cases[0].reason, Reason::kBusy);
    EXPECT_EQ(busy.cases[0].standing, Standing::kIndicative);
    EXPECT_THAT(busy.notes, Contains(HasSubstr("busy: others used the core")));
    std::vector<Record> sessions;
    for (std::uint64_t i = 0; i < stats::kFewestSessions; ++i)
        sessions.push_back(beside(run_of(10 + i, {{"x", 300}}, 8), i == 3 ? 3000 : 2000));
    EXPECT_THAT(session_variances(sessions), IsEmpty()) << "one of the fewest says nothing of the code";
    sessions[3] = beside(sessions[3], 2000);
    EXPECT_THAT(session_variances(sessions), SizeIs(1));
}

std::vector<stats::Moments> moments_of_cases(const Record& record) {
    std::vector<stats::Moments> all;
    for (const stats::CaseEstimate& estimate : stats::estimate_cases(record.visits)) {
        std::vector<double> logs;
        for (const stats::ProcessValue& process : estimate.rung(core::RungKind::kPython)->processes)
            logs.push_back(std::log(process.median_ns));
        all.push_back(stats::moments_of(logs));
    }
    return all;
}

/// What each case's interval is with the spreads of its record's cases, each record by itself.
TEST(StoredRuns, OfTwentyCasesJudgeASpreadByAllOfItsRecord) {
    const auto cases = [](std::size_t count) {
        std::vector<std::pair<std::string, double>> all;
        for (std::size_t i = 0; i < count; ++i) all.emplace_back("c" + std::to_string(i), 300.0);
        return all;
    };
    const Record before = run_of(5, cases(25), 5), after = run_of(6, cases(25), 7, 0.02);
    const std::vector<stats::Moments> old_moments = moments_of_cases(before), new_moments = moments_of_cases(after);
    const stats::VariancePrior old_prior = *stats::variance_prior(old_moments);
    const stats::VariancePrior new_prior = *stats::variance_prior(new_moments);
    const Comparison drawn = compare_runs(before, after, {});
    for (std::size_t i = 0; i < 25; ++i)
        EXPECT_EQ(drawn.cases[i].ratio_interval,
                  stats::ratio_interval(*stats::welch_contrast(stats::moderated(old_moments[i], old_prior),
                                                               stats::moderated(new_moments[i], new_prior), {})));

    const auto by_itself = [&](const std::vector<stats::Moments>& a, const std::vector<stats::Moments>& b) {
        return stats::ratio_interval(*stats::welch_contrast(a[0], b[0], std::nullopt));
    };
    const Comparison busy = compare_runs(beside(before, 2000), beside(after, 3000, "c0"), {});
    const stats::Contrast half_drawn =
        *stats::welch_contrast(stats::moderated(old_moments[0], old_prior), new_moments[0], std::nullopt);
    EXPECT_EQ(busy.cases[0].ratio_interval, stats::ratio_interval(half_drawn)) << "all batches spread in another way";
    const Record few_before = run_of(5, cases(19), 5), few_after = run_of(6, cases(19), 7, 0.02);
    EXPECT_EQ(compare_runs(few_before, few_after, {}).cases[0].ratio_interval,
              by_itself(moments_of_cases(few_before), moments_of_cases(few_after)));
}

/// A core that ran at 3.2 GHz in one minute and at 3.5 in the next read 9 % less for all of a suite.
TEST(StoredRuns, SayWhereTheClockOfTheCoreDiffered) {
    const auto at = [](double ghz) {
        Record record = run_of(1, {{"x", 300}}, 8);
        core::Map context = record.context.as_map();
        if (ghz > 0) context.insert_or_assign("references", core::Map{{"clock_ghz", ghz}});
        record.context = std::move(context);
        return record;
    };
    const Comparison other = compare_runs(at(3.2), at(3.5), {});
    EXPECT_THAT(other.notes, Contains(HasSubstr("the core's clock ran up to +9.4 % in the new record")));
    EXPECT_EQ(other.cases[0].verdict, Verdict::kInconclusive) << "faster, or hidden";
    EXPECT_EQ(other.cases[0].reason, Reason::kClock);
    for (const auto& [before, after] : {std::pair{3.2, 3.21}, {0.0, 3.5}, {3.2, 0.0}})
        EXPECT_THAT(compare_runs(at(before), at(after), {}).notes, Not(Contains(HasSubstr("clock"))));
    EXPECT_EQ(compare_runs(at(0), at(3.5), {}).cases[0].verdict, Verdict::kSame);
}

/// A clock that is at either of two rates has a median that leaps by their difference where half of a run was at each.
TEST(StoredRuns, JudgeEachCaseByTheClockOfItsOwnVisits) {
    const auto at = [](double median_ghz, double x_ghz, double y_ghz) {
        Record record = run_of(1, {{"x", 300}, {"y", 300}}, 8);
        core::Map context = record.context.as_map();
        context.insert_or_assign("references", core::Map{{"clock_ghz", median_ghz}});
        record.context = std::move(context);
        for (core::Visit& visit : record.visits) visit.clock_ghz = visit.case_name == "x" ? x_ghz : y_ghz;
        return record;
    };
    const Comparison comparison = compare_runs(at(3.2, 3.3, 3.2), at(3.5, 3.3, 3.5), {});
    EXPECT_EQ(comparison.cases[0].verdict, Verdict::kSame);
    EXPECT_EQ(comparison.cases[1].reason, Reason::kClock);
    EXPECT_THAT(comparison.notes, Contains(HasSubstr("up to +9.4 %")));
}

/// One case of two that was asked for; a note on the other's clock would be of a row that is not there.
TEST(StoredRuns, AreDecidedAsAWholeAndSayOnlyWhatIsShown) {
    const auto at = [](double y_ghz) {
        Record record = run_of(1, {{"x", 300}, {"y", 300}}, 8);
        for (core::Visit& visit : record.visits) visit.clock_ghz = visit.case_name == "y" ? y_ghz : 3.2;
        return record;
    };
    StoredOptions options;
    options.is_shown = [](const std::string& name) { return name == "x"; };
    const Comparison all = compare_runs(at(3.2), at(3.5), {}), x = compare_runs(at(3.2), at(3.5), options);
    EXPECT_THAT(x.cases, ElementsAre(all.cases[0]));
    EXPECT_THAT(all.notes, Contains(HasSubstr("clock")));
    EXPECT_THAT(x.notes, AllOf(Not(Contains(HasSubstr("clock"))), Contains(HasSubstr("indicative (1 case)"))));
}

TEST(StoredRuns, SayWhichVerdictsNeverGateWhereOthersDo) {
    const Record before = run_of(1, {{"x", 300}, {"y", 300}}, 8), after = run_of(2, {{"x", 330}, {"y", 330}}, 8);
    const Comparison mixed = compare_runs(before, after, with_sessions({"x"}, 0.005));
    EXPECT_EQ(why_text(mixed.cases[0], mixed), "");
    EXPECT_EQ(why_text(mixed.cases[1], mixed), "indicative");
    EXPECT_THAT(print_comparison_summary(mixed, {}, {}),
                HasSubstr("**1 case is slower, 1 by indication only: 2 slower"));
    const Comparison blind = compare_runs(before, after, {});
    EXPECT_EQ(why_text(blind.cases[0], blind), "") << "the note says it of all";
    const Comparison doubtful =
        compare_runs(before, run_of(2, {{"x", 300}, {"y", 330}}, 8), with_sessions({"x"}, 0.005));
    EXPECT_THAT(print_comparison_summary(doubtful, {}, {}),
                AnyOf(HasSubstr("**No case is slower, 1 by indication only"),
                      HasSubstr("**No case is proven slower, 1 by indication only")));
}

TEST(StoredRuns, OfASingleProcessAreNeverSignificant) {
    const Comparison comparison = compare_runs(run_of(1, {{"x", 300}}, 1), run_of(2, {{"x", 900}}, 12), {});
    EXPECT_EQ(comparison.cases[0].verdict, Verdict::kInconclusive);
    EXPECT_EQ(comparison.cases[0].reason, Reason::kTooFewPairs);
    EXPECT_THAT(comparison.cases[0].values, ElementsAre(1, 12));
    EXPECT_FALSE(comparison.cases[0].ratio_interval);
    EXPECT_THAT(print_comparison_table(comparison, {}), AllOf(HasSubstr("too few processes"), HasSubstr("1, 12")));
}

TEST(StoredRuns, OfUnequalCountsAreComparedAndMirror) {
    const Record few = run_of(1, {{"x", 300}, {"y", 300}}, 4), many = run_of(2, {{"x", 330}, {"y", 299}}, 15);
    const Comparison forth = compare_runs(few, many, {}), back = compare_runs(many, few, {});
    EXPECT_EQ(forth.cases[0].verdict, Verdict::kSlower);
    EXPECT_EQ(back.cases[0].verdict, Verdict::kFaster);
    EXPECT_NEAR(*forth.cases[0].ratio * *back.cases[0].ratio, 1, 1e-12);
}

TEST(StoredRuns, ReportCasesOfOneSideAndFailures) {
    Record before = run_of(1, {{"both", 300}, {"gone", 10}, {"crash", 30}}, 5);
    Record after = run_of(2, {{"both", 300}, {"fresh", 10}, {"crash", 30}}, 5);
    after.visits.back().error = core::Error{core::ErrorCode::kWorkerDied, "the worker was killed by SIGSEGV", ""};
    const Comparison comparison = compare_runs(before, after, {});
    std::vector<std::string> texts;
    for (const ComparedCase& compared : comparison.cases)
        texts.push_back(compared.name + ": " + outcome_text(compared, comparison));
    EXPECT_THAT(texts, ElementsAre("both: same", "gone: only old", "crash: failed", "fresh: only new"));
    EXPECT_EQ(why_text(comparison.cases[2], comparison), "on new");
    EXPECT_EQ(counts_text(comparison),
              "0 slower, 0 faster, 1 same, 0 inconclusive of 4 cases; 1 failed; 1 only in old; 1 only in new");
}

TEST(StoredRuns, SayWhereAnImportedBenchmarkIsNoLongerTheSame) {
    const auto of_version = [](std::uint64_t seed, const std::string& version) {
        Record record = run_of(seed, {{"kept", 300}, {"edited", 300}}, 5);
        for (core::Visit& visit : record.visits)
            visit.rungs[0].facts =
                core::Map{{"benchmark_version", visit.case_name == "kept" ? std::string("v") : version}};
        return record;
    };
    const auto notes = compare_runs(of_version(1, "a"), of_version(2, "b"), {}).notes;
    EXPECT_THAT(notes, testing::Contains(testing::EndsWith("changed between the records: edited")));
    EXPECT_THAT(compare_runs(of_version(1, "a"), of_version(2, "a"), {}).notes,
                testing::Not(testing::Contains(HasSubstr("changed between"))));
}

TEST(StoredRuns, HaveNoVerdictWhereATimeIsNotAboveTheHarness) {
    Record before = run_of(1, {{"x", 300}}, 5);
    for (core::Sample& sample : before.visits[2].rungs[0].samples) sample.wall_ns = 0;
    const Comparison comparison = compare_runs(before, run_of(2, {{"x", 300}}, 5), {});
    EXPECT_EQ(comparison.cases[0].verdict, Verdict::kInconclusive);
    EXPECT_THAT(comparison.notes, testing::Contains("no time above the harness's own cost: x"));
}

TEST(StoredRuns, TakeTheMarginsOfEachCase) {
    StoredOptions options;
    options.margins_of = [](const std::string& name) { return stats::Margins{name == "x" ? 0.2 : 0.005, 0.3}; };
    const Comparison comparison =
        compare_runs(run_of(1, {{"x", 300}, {"y", 300}}, 10), run_of(2, {{"x", 330}, {"y", 330}}, 10), options);
    EXPECT_EQ(comparison.cases[0].verdict, Verdict::kSame);
    EXPECT_EQ(comparison.cases[1].verdict, Verdict::kSlower);
    EXPECT_EQ(comparison.cases[1].reason, Reason::kSmall);
    EXPECT_THAT(comparison.notes[0], HasSubstr("(1 case); tolerance"));
}

const std::vector<SampleCase> kUnchanged{{"x"}, {"y"}};

TEST(Anchored, DuetsAgainstOneReferenceGateWithAHistory) {
    const Duet before = sample_duet(1, kUnchanged, 12);
    const Duet after = sample_duet(2, {{"x", std::log(1.05)}, {"y"}}, 12);
    const Comparison blind = compare_anchored(before, after, {});
    EXPECT_EQ(blind.cases[0].verdict, Verdict::kSlower);
    EXPECT_EQ(blind.cases[0].standing, Standing::kIndicative);
    EXPECT_THAT(blind.notes.back(), HasSubstr("indicative (2 cases)"));
    std::vector<Duet> history;
    for (std::uint64_t seed = 10; seed < 20; ++seed) history.push_back(sample_duet(seed, kUnchanged, 12));
    StoredOptions options;
    options.sessions = session_variances(history);
    ASSERT_THAT(options.sessions, SizeIs(2));
    const Comparison anchored = compare_anchored(before, after, options);
    EXPECT_EQ(anchored.cases[0].verdict, Verdict::kSlower);
    EXPECT_EQ(anchored.cases[0].standing, Standing::kGating);
    EXPECT_NEAR(*anchored.cases[0].ratio, 1.05, 0.02);
    EXPECT_NE(anchored.cases[1].verdict, Verdict::kSlower);
    EXPECT_NE(anchored.cases[1].verdict, Verdict::kFaster);
    EXPECT_GT(anchored.cases[0].ratio_interval->high - anchored.cases[0].ratio_interval->low,
              blind.cases[0].ratio_interval->high - blind.cases[0].ratio_interval->low);
}

TEST(Anchored, OfOtherStatementsIsNotTheSameWorkAndNeverGates) {
    const Duet before = sample_duet(1, kUnchanged, 12);
    Duet after = sample_duet(2, {{"x", std::log(1.5)}, {"y"}}, 12);
    for (DuetCase& each : after.cases)
        if (each.name == "x") each.statement_b += " + x";
    const Comparison comparison = compare_anchored(before, after, with_sessions({"x", "y"}, 0.002));
    EXPECT_EQ(comparison.cases[0].standing, Standing::kIndicative);
    EXPECT_EQ(comparison.cases[1].standing, Standing::kGating);
    EXPECT_THAT(comparison.notes, Contains("not the same work: the records have different statements: x"));
}

TEST(Anchored, HistoryOfFewerThanEightSessionsIsNone) {
    std::vector<Record> history;
    for (std::uint64_t seed = 0; seed < 8; ++seed) history.push_back(run_of(seed, {{"x", 300}}, 3));
    EXPECT_THAT(session_variances(history), SizeIs(1));
    history.pop_back();
    EXPECT_THAT(session_variances(history), IsEmpty());
}

TEST(Anchored, DoesNotGateWhereThePageCacheWasNotRedrawn) {
    const Duet before = sample_duet(1, kUnchanged, 12);
    Duet after = sample_duet(2, {{"x", std::log(1.05)}, {"y"}}, 12);
    after.page_cache = {{"x.so"}, 0, 12, "x.so: EPERM"};
    const Comparison comparison = compare_anchored(before, after, with_sessions({"x", "y"}, 0.002));
    EXPECT_EQ(comparison.cases[0].standing, Standing::kIndicative);
    EXPECT_THAT(comparison.notes.back(), HasSubstr("not redrawn in the new record (x.so: EPERM)"));
}

TEST(Differences, AreThoseOfMachineHostAndLoopButNotOfTheSubject) {
    const Record before = run_of(1, {{"x", 300}, {"y", 300}}, 2);
    Record after = before;
    EXPECT_THAT(differences(before, after), IsEmpty());
    after.context = core::Map{{"cpu_model", "Q"},
                              {"host", "executable"},
                              {"cpu_microcode", "0x1"},
                              {"load_avg", 3.0},
                              {"host_name", "other"},
                              {"subject", core::Map{{"version", "3.13"}}},
                              {"environment", core::Map{{"OPENBLAS_CORETYPE", "Haswell"}}}};
    after.settings = core::Map{{"threads", 4}, {"unroll", 1}, {"setup", "x = 2"}};
    EXPECT_THAT(differences(before, after),
                ElementsAre(Difference{"cpu_model", "Z", "Q"}, Difference{"cpu_microcode", "not recorded", "0x1"},
                            Difference{"host", "embedded", "executable"}, Difference{"threads", "1", "4"},
                            Difference{"environment", "{}", R"({"OPENBLAS_CORETYPE":"Haswell"})"},
                            Difference{"setup", "not recorded", "x = 2"}, Difference{"unroll", "not recorded", "1"}));
    const core::Error error = incomparable(differences(before, after), "--force");
    EXPECT_THAT(error.what, HasSubstr("cpu_model (Z and Q), cpu_microcode (not recorded and 0x1)"));
    EXPECT_THAT(error.hint, HasSubstr("--force"));
}

TEST(Differences, OfDuetsAreThoseOfTheReferenceAndInjectedWorkToo) {
    const Duet before = sample_duet(1, kUnchanged, 6);
    Duet after = before;
    after.sides[1] = core::Map{{"host", "executable"}, {"subject", core::Map{{"numpy_version", "2.9"}}}};
    EXPECT_THAT(differences(before, after), IsEmpty()) << "side b is what is compared";
    core::Map reference = before.sides[0].as_map();
    reference.insert_or_assign("subject", core::Map{{"version", "3.11.2"}, {"numpy_version", "1.24.2"}});
    after.sides[0] = reference;
    after.settings = core::Map{{"injected_ratio", 0.02}, {"threads", 1}};
    const std::vector<Difference> found = differences(before, after);
    ASSERT_THAT(found, SizeIs(2));
    EXPECT_EQ(found[0], (Difference{"reference's numpy_version", "1.26.4", "1.24.2"}));
    EXPECT_EQ(found[1].fact, "injected work");
}

TEST(StoredExports, SayTheSameInEveryFormat) {
    const Comparison comparison = compare_runs(run_of(1, {{"x|1", 300}}, 10), run_of(2, {{"x|1", 330}}, 10), {});
    const Json json = Json::parse(print_comparison_json(comparison));
    EXPECT_EQ(json["kind"], "stored comparison");
    EXPECT_EQ(json["verdicts"][0]["verdict"], "slower");
    EXPECT_EQ(json["verdicts"][0]["standing"], "indicative");
    EXPECT_EQ(json["verdicts"][0]["old_processes"], 10);
    EXPECT_EQ(json["counts"]["slower"], 1);
    EXPECT_THAT(print_comparison_csv(comparison), AllOf(HasSubstr("case,verdict,reason,standing,old_ns,new_ns,ratio"),
                                                        HasSubstr("\r\nx|1,slower,,indicative,")));
    EXPECT_THAT(print_comparison_markdown(comparison, {}), HasSubstr("| `x\\|1` |"));
    EXPECT_THAT(print_comparison_summary(comparison, {}, {}),
                HasSubstr("**Indicative only: 1 case is slower: 1 slower"));
}

}  // namespace
}  // namespace tare::record
