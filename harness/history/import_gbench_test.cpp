// At stake: four time units and four kinds of rows; an aggregate taken for a time would count every benchmark thrice.
#include "harness/history/import_gbench.h"

#include <gmock/gmock.h>

#include "harness/history/mutations.h"

namespace tare::history {
namespace {

using testing::AllOf;
using testing::DoubleNear;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

const std::string kFile = R"({"context": {"date": "2024-05-01T12:00:00+02:00", "host_name": "desk", "executable": "./b",
  "num_cpus": 2, "mhz_per_cpu": 2400, "cpu_scaling_enabled": false, "json_schema_version": 1,
  "caches": [{"type": "Data", "level": 1, "size": 32768, "num_sharing": 1}]},
 "benchmarks": [
  {"name": "BM_a/8", "run_name": "BM_a/8", "run_type": "iteration", "iterations": 100, "real_time": 1.5, "cpu_time": 1.4,
   "time_unit": "us", "bytes_per_second": 5},
  {"name": "BM_a/8", "run_name": "BM_a/8", "run_type": "iteration", "iterations": 100, "real_time": 1.7, "cpu_time": 1.6,
   "time_unit": "us"},
  {"name": "BM_a/8_mean", "run_name": "BM_a/8", "run_type": "aggregate", "aggregate_name": "mean", "iterations": 2,
   "real_time": 99, "cpu_time": 99, "time_unit": "us"},
  {"name": "BM_c_mean", "run_name": "BM_c", "run_type": "aggregate", "aggregate_name": "mean", "iterations": 3,
   "real_time": 5, "cpu_time": 5, "time_unit": "ms"},
  {"name": "BM_c_median", "run_name": "BM_c", "run_type": "aggregate", "aggregate_name": "median", "iterations": 3,
   "real_time": 4, "cpu_time": 4, "time_unit": "ms"},
  {"name": "BM_g_mean", "run_name": "BM_g", "run_type": "aggregate", "aggregate_name": "mean", "iterations": 3,
   "real_time": 7, "cpu_time": 7, "time_unit": "s"},
  {"name": "BM_g_stddev", "run_name": "BM_g", "run_type": "aggregate", "aggregate_name": "stddev", "iterations": 3,
   "real_time": 1, "cpu_time": 1, "time_unit": "s"},
  {"name": "BM_d_BigO", "run_name": "BM_d", "run_type": "aggregate", "aggregate_name": "BigO", "real_coefficient": NaN},
  {"name": "BM_e", "error_occurred": true, "error_message": "no file", "real_time": 0, "time_unit": "ns"},
  {"name": "BM_f", "iterations": 7, "real_time": Infinity, "cpu_time": 1, "time_unit": "ns"}]})";

ImportedRun parsed_gbench(const std::string& text) {
    auto run = parse_gbench(text, "g.json", {});
    EXPECT_TRUE(run.has_value()) << run.error().what;
    return run ? *std::move(run) : ImportedRun{};
}

TEST(ImportGbench, RepetitionsAreSamplesOfOneProcess) {
    const ImportedRun run = parsed_gbench(kFile);
    EXPECT_EQ(run.counts,
              (ImportCounts{.cases = 3, .not_times = 1, .failed = 2, .untrue = {"BM_f: a time that is no number"}}));
    ASSERT_THAT(run.record.visits, SizeIs(5));
    const core::Visit& a = run.record.visits[0];
    EXPECT_EQ(a.case_name, "BM_a/8");
    ASSERT_THAT(a.rungs[0].samples, SizeIs(2)) << "no aggregate among them";
    EXPECT_EQ(a.rungs[0].samples[0].n, 100U);
    EXPECT_THAT(a.rungs[0].samples[0].wall_ns, DoubleNear(100 * 1500, 1e-6));
    EXPECT_THAT(a.rungs[0].samples[1].cpu_ns, DoubleNear(100 * 1600, 1e-6));
}

TEST(ImportGbench, AFileOfAggregatesGivesItsMedian) {
    const core::Visit c = parsed_gbench(kFile).record.visits[1];
    EXPECT_EQ(c.case_name, "BM_c");
    EXPECT_THAT(c.rungs[0].samples[0].wall_ns, DoubleNear(4e6, 1e-3));
    EXPECT_EQ(c.rungs[0].samples[0].n, 1U);
    const core::Visit g = parsed_gbench(kFile).record.visits[2];
    EXPECT_THAT(g.rungs[0].samples[0].wall_ns, DoubleNear(7e9, 1)) << "the mean, never a deviation";
}

TEST(ImportGbench, FailuresKeepTheirMessage) {
    const ImportedRun run = parsed_gbench(kFile);
    EXPECT_EQ(run.record.visits[3].error->what, "no file");
    EXPECT_EQ(run.record.visits[4].error->what, "its file holds a time that is no number");
}

TEST(ImportGbench, AValueThatNoTimeCanHaveIsLeftOutByName) {
    for (const char* value : {"0", "-1.5", "1e30", "NaN", "Infinity", "null", "\"1.5\""}) {
        std::string text = kFile;
        text.replace(text.find("\"real_time\": 1.5"), 16, std::string("\"real_time\": ") + value);
        const ImportedRun run = parsed_gbench(text);
        EXPECT_EQ(run.counts.cases, 3U) << value << ": the other repetition is used";
        ASSERT_THAT(run.counts.untrue, SizeIs(2)) << value;
        EXPECT_THAT(run.counts.untrue[0], StartsWith("BM_a/8: a time "));
        ASSERT_THAT(run.record.visits[0].rungs[0].samples, SizeIs(1));
        EXPECT_THAT(run.record.visits[0].rungs[0].samples[0].wall_ns, DoubleNear(100 * 1700, 1e-6));
        text.replace(text.find("\"real_time\": 1.7"), 16, std::string("\"unreal_time\": 1"));
        const ImportedRun none = parsed_gbench(text);
        EXPECT_THAT(none.record.visits[0].error->what,
                    AllOf(HasSubstr("its file holds a time"), HasSubstr(" and 1 more")));
    }
}

TEST(ImportGbench, DatesHaveTheirOffset) {
    const ImportedRun run = parsed_gbench(kFile);
    EXPECT_EQ(run.record.context["date"].as_text(), "2024-05-01T10:00:00+00:00");
    EXPECT_EQ(run.record.context["caches"].as_list()[0]["size_bytes"].as_int(), 32768);
}

TEST(ImportGbench, AFileWithoutDateOrHostIsRefused) {
    const auto what = [](std::string text, const std::string& from) {
        text.replace(text.find(from), from.size(), "x");
        const auto run = parse_gbench(text, "g.json", {});
        return run ? "no error" : run.error().what;
    };
    EXPECT_THAT(what(kFile, "date"), HasSubstr("no date"));
    EXPECT_THAT(what(kFile, "host_name"), HasSubstr("names no machine"));
    EXPECT_THAT(what(kFile, "context"), HasSubstr("no context"));
}

TEST(ImportGbench, AggregatesOfOldFilesAreToldByTheirNames) {
    const auto row = [](const std::string& name, double time) {
        return R"({"name": ")" + name + R"(", "iterations": 9, "real_time": )" + std::to_string(time) +
               R"(, "cpu_time": 1, "time_unit": "ns"})";
    };
    const std::string rows = row("BM_a", 10) + "," + row("BM_a", 12) + "," + row("BM_a_mean", 11) + "," +
                             row("BM_a_median", 11) + "," + row("BM_a_stddev", 1) + "," + row("BM_a_cv", 1) + "," +
                             row("BM_b/8", 5) + "," + R"({"name": "BM_b_BigO", "real_coefficient": 3},)" +
                             R"({"name": "BM_b_RMS", "rms": 0.1},)" + row("BM_geo_mean", 7) + "," + row("_mean", 7);
    const ImportedRun run = parsed_gbench(
        R"({"context": {"date": "2018-05-01 12:00:00", "host_name": "desk"}, "benchmarks": [)" + rows + "]}");
    std::vector<std::string> names;
    for (const core::Visit& visit : run.record.visits) names.push_back(visit.case_name);
    EXPECT_THAT(names, testing::ElementsAre("BM_a", "BM_b/8", "BM_geo_mean", "_mean"))
        << "a name that only looks like an aggregate's stays a benchmark";
    EXPECT_THAT(run.record.visits[0].rungs[0].samples, SizeIs(2));
    EXPECT_EQ(run.counts, (ImportCounts{.cases = 4, .not_times = 1}));
}

TEST(ImportGbench, AMeanStandsInForAMedianThatIsNoNumberAndAnUnknownUnitIsNamed) {
    const auto row = [](const std::string& aggregate, const std::string& time, const std::string& unit) {
        return R"({"name": "BM_)" + unit + "_" + aggregate + R"(", "run_name": "BM_)" + unit +
               R"(", "run_type": "aggregate", "aggregate_name": ")" + aggregate + R"(", "real_time": )" + time +
               R"(, "time_unit": ")" + unit + R"("})";
    };
    const ImportedRun run = parsed_gbench(
        R"({"context": {"date": "2018-05-01 12:00:00", "host_name": "desk"}, "benchmarks": [)" +
        row("median", "null", "us") + "," + row("mean", "3", "us") + "," + row("mean", "3", "fortnight") + "]}");
    EXPECT_THAT(run.record.visits[0].rungs[0].samples[0].wall_ns, DoubleNear(3'000, 1e-6));
    EXPECT_THAT(run.record.visits[1].error->what, HasSubstr("'fortnight'"));
}

TEST(ImportGbench, SurvivesDamage) {
    std::size_t taken = 0;
    for_each_mutation(kFile, [&](const std::string& text) {
        const auto run = parse_gbench(text, "g.json", {});
        if (!run) return;
        ++taken;
        expect_is_readable(run->record);
    });
    EXPECT_GT(taken, 100U);
}

}  // namespace
}  // namespace tare::history
