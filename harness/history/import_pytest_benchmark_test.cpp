// At stake: a suite that was kept for years with pytest-benchmark: seconds taken for anything else, or a saved median
// for a round, would make a step where the tool was changed.
#include "harness/history/import_pytest_benchmark.h"

#include <gmock/gmock.h>

#include "harness/history/mutations.h"

namespace tare::history {
namespace {

using testing::DoubleNear;
using testing::HasSubstr;
using testing::SizeIs;

const std::string kSaved = R"({"machine_info": {"node": "desk", "machine": "x86_64", "system": "Linux",
  "python_version": "3.12.1", "cpu": {"brand_raw": "Some CPU", "count": 4}},
 "commit_info": {"id": "0123456789abcdef0123456789abcdef01234567", "time": "2024-05-01T12:00:00+02:00",
  "dirty": false, "project": "spam"},
 "benchmarks": [
  {"name": "test_a[3]", "fullname": "tests/test_x.py::test_a[3]", "params": {"n": 3},
   "stats": {"min": 1e-6, "median": 1.5e-6, "iterations": 100, "rounds": 2, "data": [1e-6, 2e-6]}},
  {"name": "test_b", "fullname": "tests/test_x.py::test_b",
   "stats": {"min": 0.5, "median": 0.75, "iterations": 1, "rounds": 5}},
  {"name": "test_c", "fullname": "tests/test_x.py::test_c", "stats": {"median": null, "iterations": 1, "rounds": 0}}],
 "datetime": "2024-05-02T10:00:00.123456+00:00", "version": "4.0.0"})";

ImportedRun parsed_saved(const std::string& text) {
    auto run = parse_pytest_benchmark(text, "p.json", {});
    EXPECT_TRUE(run.has_value()) << run.error().what;
    return run ? *std::move(run) : ImportedRun{};
}

TEST(ImportPytestBenchmark, RoundsAreSamplesAndAMedianIsOne) {
    const ImportedRun run = parsed_saved(kSaved);
    EXPECT_EQ(run.counts.cases, 2U);
    ASSERT_THAT(run.record.visits, SizeIs(3));
    const core::Visit& a = run.record.visits[0];
    EXPECT_THAT(a.case_name, HasSubstr("test_a"));
    ASSERT_THAT(a.rungs[0].samples, SizeIs(2));
    EXPECT_EQ(a.rungs[0].samples[1].n, 100U);
    EXPECT_THAT(a.rungs[0].samples[1].wall_ns, DoubleNear(100 * 2000, 1e-6));
    ASSERT_THAT(run.record.visits[1].rungs[0].samples, SizeIs(1));
    EXPECT_THAT(run.record.visits[1].rungs[0].samples[0].wall_ns, DoubleNear(0.75e9, 1e-3)) << "never the minimum";
    EXPECT_THAT(run.counts.untrue, testing::ElementsAre("tests/test_x.py::test_c: a time that is no number"));
}

TEST(ImportPytestBenchmark, DatesAndCommitAreTheProjects) {
    const core::Value context = parsed_saved(kSaved).record.context;
    EXPECT_EQ(context["date"].as_text(), "2024-05-01T10:00:00+00:00") << "of the commit";
    EXPECT_EQ(context["subject_commit"].as_text(), "0123456789abcdef0123456789abcdef01234567");
    EXPECT_EQ(context["project"].as_text(), "spam");
    EXPECT_EQ(context["cpu_model"].as_text(), "Some CPU");
    std::string unversioned = kSaved;
    unversioned.replace(unversioned.find("0123456789abcdef0123456789abcdef01234567"), 40, "unversioned");
    unversioned.replace(unversioned.find("\"2024-05-01T12:00:00+02:00\""), 27, "null");
    const core::Value plain = parsed_saved(unversioned).record.context;
    EXPECT_EQ(plain["date"].as_text(), "2024-05-02T10:00:00+00:00");
    EXPECT_TRUE(plain["subject_commit"].is_nil());
}

TEST(ImportPytestBenchmark, OfAnEditedTreeIsNoMeasurementOfItsCommit) {
    std::string edited = kSaved;
    edited.replace(edited.find("\"dirty\": false"), 14, "\"dirty\": true");
    const core::Value context = parsed_saved(edited).record.context;
    EXPECT_TRUE(context["subject_commit"].is_nil());
    EXPECT_EQ(context["date"].as_text(), "2024-05-02T10:00:00+00:00") << "when it ran";
}

TEST(ImportPytestBenchmark, WhatCannotBeReadIsRefused) {
    const auto what = [](const std::string& from) {
        std::string text = kSaved;
        for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from))
            text.replace(at, from.size(), "x");
        const auto run = parse_pytest_benchmark(text, "p.json", {});
        return run ? "no error" : run.error().what;
    };
    EXPECT_THAT(what("time\":"), HasSubstr("is damaged"));
    EXPECT_THAT(what("node"), HasSubstr("names no machine"));
    EXPECT_THAT(what("benchmarks"), HasSubstr("no benchmarks"));
}

TEST(ImportPytestBenchmark, SurvivesDamage) {
    std::size_t taken = 0;
    for_each_mutation(kSaved, [&](const std::string& text) {
        const auto run = parse_pytest_benchmark(text, "p.json", {});
        if (!run) return;
        ++taken;
        expect_is_readable(run->record);
    });
    EXPECT_GT(taken, 100U);
}

}  // namespace
}  // namespace tare::history
