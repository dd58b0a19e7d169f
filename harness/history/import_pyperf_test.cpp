// At stake: a run of pyperf is a process: taken for samples of one, 20 processes would give an interval 4 times too
// small.
#include "harness/history/import_pyperf.h"

#include <gmock/gmock.h>

#include "harness/history/mutations.h"

namespace tare::history {
namespace {

using testing::DoubleNear;
using testing::HasSubstr;
using testing::SizeIs;

const std::string kSuite = R"json({"version": "1.0", "metadata": {"hostname": "desk", "cpu_model_name": "Some CPU",
  "cpu_count": 4, "python_version": "3.12.1 (64-bit)", "platform": "Linux-6", "loops": 1000},
 "benchmarks": [
  {"metadata": {"name": "dumps", "inner_loops": 10}, "runs": [
    {"metadata": {"date": "2024-05-01 10:00:01.5", "calibrate_loops": 1000}, "warmups": [[1, 0.5]]},
    {"metadata": {"date": "2024-05-01 10:00:02"}, "values": [1e-6, 1.1e-6, 1.2e-6]},
    {"metadata": {"date": "2024-05-01 10:00:03", "loops": 50}, "warmups": [[1, 9]], "values": [2e-6]}]},
  {"metadata": {"name": "memory", "unit": "byte"}, "runs": [{"values": [1000]}]},
  {"metadata": {"name": "nothing"}, "runs": [{"warmups": [[1, 2.0]]}]}]})json";

ImportedRun parsed_pyperf(const std::string& text, const ImportHints& hints = {}) {
    auto run = parse_pyperf(text, "p.json", hints);
    EXPECT_TRUE(run.has_value()) << run.error().what;
    return run ? *std::move(run) : ImportedRun{};
}

TEST(ImportPyperf, ARunIsAProcess) {
    const ImportedRun run = parsed_pyperf(kSuite);
    EXPECT_EQ(run.counts, (ImportCounts{.cases = 1, .not_times = 1, .failed = 1}));
    ASSERT_THAT(run.record.visits, SizeIs(3)) << "two of dumps, one that failed";
    EXPECT_EQ(run.record.visits[1].process, 1);
    EXPECT_EQ(run.record.visits[0].rungs[0].samples[0].n, 10'000U) << "loops of the root, inner loops of the benchmark";
    EXPECT_EQ(run.record.visits[1].rungs[0].samples[0].n, 500U) << "the run's own loops come first";
    const record::Summary summary = record::summarize(run.record);
    const auto gross = summary.cases[0].time_ns(core::RungKind::kPython);
    EXPECT_EQ(gross->processes, 2);
    EXPECT_EQ(gross->basis, stats::IntervalBasis::kProcesses);
    EXPECT_THAT(gross->value, DoubleNear(1550, 1e-6)) << "warm-ups are no values";
}

TEST(ImportPyperf, AValueThatNoTimeCanHaveIsLeftOutByName) {
    for (const char* value : {"0", "-1e-6", "NaN", "Infinity", "null"}) {
        std::string text = kSuite;
        text.replace(text.find("1.1e-6"), 6, value);
        const ImportedRun run = parsed_pyperf(text);
        ASSERT_THAT(run.counts.untrue, SizeIs(1)) << value;
        EXPECT_THAT(run.counts.untrue[0], testing::StartsWith("dumps: a time "));
        EXPECT_THAT(run.record.visits[0].rungs[0].samples, SizeIs(2)) << value;
        EXPECT_THAT(run.record.visits[1].rungs[0].samples, SizeIs(1)) << value;
    }
}

TEST(ImportPyperf, DateMachineAndVersionComeFromTheMetadata) {
    const ImportedRun run = parsed_pyperf(kSuite);
    EXPECT_EQ(run.record.context["date"].as_text(), "2024-05-01T10:00:01+00:00");
    EXPECT_EQ(run.record.context["python"]["version"].as_text(), "3.12.1");
    EXPECT_EQ(run.record.context["host_name"].as_text(), "desk");
    EXPECT_EQ(run.record.context["num_cpus"].as_int(), 4);
    const ImportedRun named = parsed_pyperf(kSuite, {.machine = "lab"});
    EXPECT_EQ(named.record.context["host_name"].as_text(), "lab");
    EXPECT_NE(named.record.context["fingerprint"], run.record.context["fingerprint"]);
}

TEST(ImportPyperf, WhatCannotBeReadIsRefusedWithTheWayOut) {
    const auto what = [](std::string text, const std::string& from, const std::string& to) {
        for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
            text.replace(at, from.size(), to);
        const auto run = parse_pyperf(text, "p.json", {});
        return run ? "no error" : run.error().what + " | " + run.error().hint;
    };
    EXPECT_THAT(what(kSuite, "\"1.0\"", "\"0.8\""), HasSubstr("pyperf convert"));
    EXPECT_THAT(what(kSuite, "\"1.0\"", "6"), HasSubstr("format version 6"));
    EXPECT_THAT(what(kSuite, "\"date\"", "\"day\""), HasSubstr("none of its runs has a date"));
    EXPECT_THAT(what(kSuite, "hostname", "host"), HasSubstr("names no machine"));
    EXPECT_THAT(what(R"({"version": "1.0", "benchmarks": []})", "x", "y"), HasSubstr("without benchmarks"));
}

TEST(ImportPyperf, SurvivesDamage) {
    std::size_t taken = 0;
    for_each_mutation(kSuite, [&](const std::string& text) {
        const auto run = parse_pyperf(text, "p.json", {});
        if (!run) return;
        ++taken;
        expect_is_readable(run->record);
    });
    EXPECT_GT(taken, 100U);
}

}  // namespace
}  // namespace tare::history
