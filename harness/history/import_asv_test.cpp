// At stake: 1,433 files of NumPy's own history. A wrong column, date or order of parameters would be believed.
#include "harness/history/import_asv.h"

#include <gmock/gmock.h>

#include "harness/history/mutations.h"
#include "harness/stats/case_name.h"

namespace tare::history {
namespace {

using testing::AllOf;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

constexpr const char* kHead =
    R"({"commit_hash": "c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00", "env_name": "virtualenv-py3.11",
 "date": 1600000000000, "python": "3.11", "requirements": {"Cython": "3.0"}, "env_vars": {"OMP_NUM_THREADS": "1"},
 "params": {"machine": "desk", "cpu": "Some CPU", "arch": "x86_64", "os": "Linux 6", "num_cpu": "8", "ram": "16"},
 "result_columns": ["result", "params", "version", "started_at", "duration", "stats_ci_99_a", "stats_ci_99_b",
  "stats_q_25", "stats_q_75", "stats_number", "stats_repeat", "samples", "profile"],
 "durations": {}, "version": 2, "results": )";

std::string file_with(const std::string& results) {
    return kHead + results + "}";
}

ImportedRun parsed_asv(const std::string& text, const AsvSurroundings& surroundings = {},
                       const ImportHints& hints = {}) {
    auto run = parse_asv(text, "r.json", surroundings, hints);
    EXPECT_TRUE(run.has_value()) << run.error().what;
    return run ? *std::move(run) : ImportedRun{};
}

std::vector<std::string> names_of(const ImportedRun& run) {
    std::vector<std::string> names;
    for (const core::Visit& visit : run.record.visits) names.push_back(visit.case_name);
    return names;
}

TEST(ImportAsv, TakesTheSamplesWhereTheyWereKept) {
    const ImportedRun run = parsed_asv(file_with(
        R"({"bench_core.Core.time_dot": [[2e-6], [], "v1", 1600000100000, 1.5, [1.9e-6], [2.1e-6], null, null, [100], [3],
            [[1e-6, 2e-6, 3e-6]]]})"));
    ASSERT_THAT(run.record.visits, SizeIs(1));
    const core::Visit& visit = run.record.visits[0];
    EXPECT_EQ(visit.case_name, "bench_core.Core.time_dot");
    EXPECT_EQ(visit.started_s, 1600000100);
    ASSERT_THAT(visit.rungs[0].samples, SizeIs(3));
    EXPECT_EQ(visit.rungs[0].samples[0].n, 100U);
    EXPECT_THAT(visit.rungs[0].samples[2].wall_ns, DoubleNear(100 * 3000, 1e-6));
    EXPECT_EQ(run.counts.cases, 1U);
}

TEST(ImportAsv, WithoutSamplesTheMedianIsOneValueAndItsIntervalAFact) {
    const ImportedRun run = parsed_asv(file_with(
        R"({"m.time_x": [[2e-6], [], "v1", null, null, [1.5e-6], [2.5e-6], [1.9e-6], [2.1e-6], [7], [20]]})"));
    const record::Summary summary = record::summarize(run.record);
    ASSERT_THAT(summary.cases, SizeIs(1));
    EXPECT_FALSE(summary.cases[0].time_ns(core::RungKind::kPython)->interval) << "one value has no interval of ours";
    EXPECT_THAT(summary.cases[0].time_ns(core::RungKind::kPython)->value, DoubleNear(2000, 1e-6));
    const core::Value& facts = run.record.visits[0].rungs[0].facts;
    EXPECT_THAT(facts["ci_99_low_ns"].as_double(), DoubleNear(1500, 1e-6));
    EXPECT_THAT(facts["q_75_ns"].as_double(), DoubleNear(2100, 1e-6));
    EXPECT_EQ(facts["benchmark_version"].as_text(), "v1");
}

TEST(ImportAsv, ParametersComeWithTheLastFastest) {
    AsvSurroundings surroundings;
    surroundings.benchmarks["m.time_x"] = {true, "", {"dtype", "n"}};
    const std::string text = file_with(
        R"json({"m.time_x": [[1, 2, 3, 4], [["'float32'", "<class 'numpy.float64'>"], ["100", "(2, 3)"]]]})json");
    EXPECT_THAT(names_of(parsed_asv(text, surroundings)),
                ElementsAre("m.time_x[dtype=float32,n=100]", "m.time_x[dtype=float32,n=(2, 3)]",
                            "m.time_x[dtype=numpy.float64,n=100]", "m.time_x[dtype=numpy.float64,n=(2, 3)]"));
    EXPECT_THAT(names_of(parsed_asv(text))[0], "m.time_x[param1=float32,param2=100]") << "without benchmarks.json";
}

TEST(ImportAsv, WhatFailedIsAnErrorAndWhatWasSkippedIsCounted) {
    const ImportedRun run = parsed_asv(file_with(R"({"m.time_x": [[1e-3, null, NaN], [["1", "2", "3"]]],
        "m.time_gone": [null, [["1", "2"]]], "m.peakmem_x": [[1000]], "m.track_y": [[5], [], "v"]})"));
    EXPECT_EQ(run.counts, (ImportCounts{.cases = 1, .not_times = 2, .failed = 3, .skipped = 1}));
    EXPECT_THAT(names_of(run), ElementsAre("m.time_gone[param1=1]", "m.time_gone[param1=2]", "m.time_x[param1=1]",
                                           "m.time_x[param1=2]"));
    EXPECT_EQ(run.record.visits[0].error->what, "asv recorded that it failed");
    EXPECT_FALSE(run.record.visits[2].error);
}

TEST(ImportAsv, TheListOfBenchmarksDecidesWhatIsATimeAndWhichVersionCounts) {
    const auto benchmarks = parse_asv_benchmarks(R"({"version": 2,
        "m.Suite.compute": {"type": "time", "version": "new", "param_names": ["size of array", ""]},
        "m.time_but_tracked": {"type": "track", "version": "x", "param_names": []}})",
                                                 "benchmarks.json");
    ASSERT_TRUE(benchmarks);
    const AsvSurroundings surroundings{*benchmarks, {}};
    const ImportedRun run = parsed_asv(file_with(R"({"m.Suite.compute": [[1, 2], [["1"], ["'a'", "'b'"]], "new"],
        "m.time_but_tracked": [[3], [], "x"]})"),
                                       surroundings);
    EXPECT_THAT(names_of(run),
                ElementsAre("m.Suite.compute[size_of_array=1,param2=a]", "m.Suite.compute[size_of_array=1,param2=b]"));
    EXPECT_EQ(run.counts.not_times, 1U);
    const ImportedRun old =
        parsed_asv(file_with(R"({"m.Suite.compute": [[1, 2], [["1"], ["'a'", "'b'"]], "old"]})"), surroundings);
    EXPECT_EQ(old.counts, (ImportCounts{.outdated = 2}));
}

TEST(ImportAsv, TheContextHasMachineCommitAndVersions) {
    const std::string text = file_with(R"({"m.time_x": [[1]]})");
    const core::Value context = parsed_asv(text).record.context;
    EXPECT_EQ(context["date"].as_text(), "2020-09-13T12:26:40+00:00");
    EXPECT_EQ(context["host_name"].as_text(), "desk");
    EXPECT_EQ(context["cpu_model"].as_text(), "Some CPU");
    EXPECT_EQ(context["num_cpus"].as_int(), 8);
    EXPECT_EQ(context["fingerprint"].as_text().size(), 16U);
    EXPECT_EQ(context["imported_from"]["tool"].as_text(), "asv");
    EXPECT_EQ(context["imported_from"]["environment"].as_text(), "virtualenv-py3.11");
    EXPECT_EQ(context["subject_commit"].as_text(), "c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00");
    EXPECT_TRUE(context["numpy"]["git_revision"].is_nil()) << "of an unknown project the commit is not NumPy's";
    EXPECT_EQ(parsed_asv(text, {}, {.project = "NumPy"}).record.context["numpy"]["git_revision"].as_text(),
              "c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00");
    AsvSurroundings nameless;
    nameless.machine["machine"] = "elsewhere";
    EXPECT_EQ(parsed_asv(text, nameless).record.context["host_name"].as_text(), "desk")
        << "the file itself comes first";
}

TEST(ImportAsv, ColumnsAreFoundByNameNotByPlace) {
    const std::string text = R"({"commit_hash": "c", "date": 1, "params": {"machine": "m"}, "version": 2,
        "result_columns": ["future", "params", "result"], "results": {"m.time_x": [{"a": 1}, [["1"]], [0.5]]}})";
    const ImportedRun run = parsed_asv(text);
    ASSERT_THAT(run.record.visits, SizeIs(1));
    EXPECT_THAT(run.record.visits[0].rungs[0].samples[0].wall_ns, DoubleNear(0.5e9, 1e-3));
}

TEST(ImportAsv, OtherVersionsAreRefusedWithTheWayOut) {
    const auto old = parse_asv(R"({"version": 1, "results": {}})", "r.json", {}, {});
    ASSERT_FALSE(old);
    EXPECT_THAT(old.error().what, HasSubstr("'r.json' holds asv's results in format version 1"));
    EXPECT_THAT(old.error().hint, HasSubstr("asv update"));
    const auto future = parse_asv(R"({"version": 3, "results": {}})", "r.json", {}, {});
    EXPECT_THAT(future.error().hint, HasSubstr("newer version of tare"));
}

TEST(ImportAsv, WhatCannotBeTrueIsRefused) {
    const auto what = [](std::string text, const std::string& from, const std::string& to) {
        text.replace(text.find(from), from.size(), to);
        const auto run = parse_asv(text, "r.json", {}, {});
        return run ? "no error" : run.error().what + " | " + run.error().hint;
    };
    const std::string good = file_with(R"({"m.time_x": [[1, 2], [["1", "2"]]]})");
    EXPECT_THAT(what(good, "1600000000000", "1e300"), HasSubstr("names no date"));
    EXPECT_THAT(what(good, "1600000000000", "\"today\""), HasSubstr("names no date"));
    EXPECT_THAT(what(good, "\"machine\": \"desk\"", "\"x\": 1"),
                AllOf(HasSubstr("names no machine"), HasSubstr("--machine")));
    EXPECT_THAT(what(good, "\"result_columns\"", "\"columns\""), HasSubstr("no columns"));
    EXPECT_THAT(what(good, "\"results\": {", "\"results\": {{"), HasSubstr("no valid JSON near byte"));
    const ImportedRun run = parsed_asv(file_with(R"({"m.time_x": [[1, 2, 3], [["1", "2"]]], "m.time_y": 5,
        "m.time_z": [[1], [[]]], "m.time_w": [[-1e-3]], "m.time_v": [["soon"]], "": [[1]]})"));
    EXPECT_EQ(run.counts, (ImportCounts{.not_times = 1, .failed = 5, .untrue = {"m.time_w: a time of -0.001 s"}}))
        << "no value is made up";
}

TEST(ImportAsv, EveryNameIsReadBackAsItsOperationAndParameters) {
    for (const char* value : {"'a,b'", "'a]b'", "']['", "'=1'", "''", "'a\\nb'", "array([1, 2])", "lambda x: x[0], 1",
                              "'\\u00e4\\u00e4'", "<function f at 0x1>"}) {
        const std::string list = std::string("\"") + value + "\"";
        const ImportedRun run = parsed_asv(file_with("{\"m.time_x\": [[1], [[" + list + "]]]}"));
        ASSERT_THAT(run.record.visits, SizeIs(1)) << value;
        const stats::CaseName name = stats::parse_case_name(run.record.visits[0].case_name);
        EXPECT_EQ(name.operation, "m.time_x") << run.record.visits[0].case_name;
        EXPECT_THAT(name.parameters, SizeIs(1)) << run.record.visits[0].case_name;
    }
}

TEST(ImportAsv, ValuesThatReadAlikeAreToldApart) {
    EXPECT_THAT(names_of(parsed_asv(file_with(R"({"m.time_x": [[1, 2, 3], [["'5'", "5", "'5'"]]]})"))),
                ElementsAre("m.time_x[param1=5]", "m.time_x[param1=5,variant=2]", "m.time_x[param1=5,variant=3]"));
}

TEST(ImportAsv, FindsTheProjectBehindComments) {
    EXPECT_EQ(parse_asv_project("{\n  // \"project\": \"wrong\"\n  \"version\": 1,\n  \"project\" : \"numpy\",\n}"),
              "numpy");
    EXPECT_EQ(parse_asv_project("{\"project_url\": \"x\"}"), "");
    EXPECT_EQ(parse_asv_project("\"project\": \"open"), "");
}

TEST(ImportAsv, SurvivesDamage) {
    const std::string whole = file_with(R"({"m.time_x": [[1e-3, null, NaN], [["1", "2", "3"]], "v", 1, 1, [1, 1, 1],
        [2, 2, 2], null, null, [1, 2, 3], [4, 5, 6], [[1, 2], null, [3]]], "m.time_y": [[2], [], "w"]})");
    std::size_t taken = 0;
    for_each_mutation(whole, [&](const std::string& text) {
        const auto run = parse_asv(text, "r.json", {}, {});
        if (!run) return;
        ++taken;
        EXPECT_LE(run->counts.cases, 100'000U);
        expect_is_readable(run->record);
    });
    EXPECT_GT(taken, 100U) << "most damage must reach the reader";
}

}  // namespace
}  // namespace tare::history
