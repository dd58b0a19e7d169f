// At stake: a run of one case measured last must not empty the report of the 700 that the store holds.
#include "harness/history/report_source.h"

#include <gmock/gmock.h>

#include "harness/history/sample_report.h"

namespace tare::history {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> files(const std::vector<IndexedRecord>& records) {
    std::vector<std::string> names;
    for (const IndexedRecord& each : records) names.push_back(each.file);
    return names;
}

core::Series points_of(const std::string& case_name, const std::string& metric,
                       const std::vector<IndexedRecord>& records) {
    core::Series series;
    series.key = {records[0].machine, records[0].environment, case_name, metric, ""};
    for (const IndexedRecord& each : records)
        series.points.push_back({each.file, each.date_s, each.version, each.commit, 1, {}, {}, 5});
    return series;
}

const IndexedRecord kOld = sample_indexed("old.json", "run", 1, "1.26.4");
const IndexedRecord kFull = sample_indexed("full.json", "run", 2);
const IndexedRecord kAgain = sample_indexed("again.json", "run", 3);
const IndexedRecord kOneCase = sample_indexed("one.json", "run", 4);

TEST(ChosenRecords, AreTheNewestRunAndOlderOnesThatHoldMoreOfItsSubject) {
    const ReportChoice choice = choose_records(
        {kOld, kFull, kAgain, kOneCase},
        {points_of("a", "gross", {kOld, kFull, kAgain, kOneCase}), points_of("b", "gross", {kOld, kFull, kAgain})},
        Axis::kVersion);
    EXPECT_THAT(files(choice.runs), ElementsAre("one.json", "again.json")) << "not another version's, nor older ones";
}

TEST(ChosenRecords, OfEachMachineStandNewestFirst) {
    const IndexedRecord other = sample_indexed("other.json", "run", 3.5, "2.4.6", "other");
    const ReportChoice choice = choose_records(
        {kFull, other, kOneCase}, {points_of("a", "gross", {kOneCase}), points_of("b", "gross", {kFull})}, Axis::kDate);
    EXPECT_THAT(files(choice.runs), ElementsAre("one.json", "full.json", "other.json"));
}

TEST(ChosenRecords, HaveOneLedgerRecordAVersionInTheOrderOfVersions) {
    const IndexedRecord rerun = sample_indexed("rerun.json", "run", 9, "1.26.4");
    const IndexedRecord older = sample_indexed("older.json", "run", 8, "1.9.3");
    const ReportChoice choice =
        choose_records({kOld, rerun, older, kFull, kOneCase},
                       {points_of("a", "instructions", {kOld, rerun, older, kFull})}, Axis::kVersion);
    EXPECT_THAT(files(choice.ledgers), ElementsAre("older.json", "rerun.json", "full.json"));
}

TEST(ChosenRecords, OfARunWithASetUpOfItsOwnLeaveTheSuitesRunsAndLedgersIn) {
    IndexedRecord expression = sample_indexed("expression.json", "run", 9);
    expression.environment += ", setup x = 1";
    const ReportChoice choice =
        choose_records({kOld, kFull, expression},
                       {points_of("e", "gross", {expression}), points_of("e", "instructions", {expression}),
                        points_of("a", "gross", {kOld, kFull}), points_of("a", "instructions", {kOld, kFull})},
                       Axis::kVersion);
    EXPECT_THAT(files(choice.runs), ElementsAre("expression.json", "full.json"));
    EXPECT_THAT(files(choice.ledgers), ElementsAre("old.json", "full.json"));
}

TEST(ChosenRecords, AreThoseThatHoldACaseOfTheFilter) {
    const ReportChoice choice = choose_records({kOld, kFull, kOneCase}, {points_of("b", "gross", {kOld})}, Axis::kDate);
    EXPECT_THAT(files(choice.runs), ElementsAre("old.json")) << "another release's, if no newer one has the case";
}

TEST(ChosenRecords, BeyondWhatAPageCanBearAreCounted) {
    std::vector<IndexedRecord> runs;
    std::vector<core::Series> series;
    for (int i = 0; i < 30; ++i) {
        runs.push_back(sample_indexed(std::to_string(i) + ".json", "run", i));
        series.push_back(points_of("case" + std::to_string(i), "gross", {runs.back()}));
    }
    const ReportChoice choice = choose_records(runs, series, Axis::kDate);
    EXPECT_EQ(choice.runs.size() + choice.runs_left_out, 30U);
    EXPECT_GT(choice.runs_left_out, 0U);
    EXPECT_EQ(choice.runs.front().file, "29.json");
}

TEST(ChosenRecords, HaveTheNewestDuet) {
    const ReportChoice choice =
        choose_records({sample_indexed("d1.json", "duet", 5), sample_indexed("d2.json", "duet", 6)}, {}, Axis::kDate);
    ASSERT_TRUE(choice.duet);
    EXPECT_EQ(choice.duet->file, "d2.json");
    EXPECT_THAT(choice.runs, IsEmpty());
}

}  // namespace
}  // namespace tare::history
