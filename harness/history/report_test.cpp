// At stake: a record is written by anyone. Whatever it holds, the page's data stays data: JSON that no text can end.
#include "harness/history/report.h"

#include <gmock/gmock.h>

#include "harness/history/sample_report.h"
#include "harness/history/script_json.h"

namespace tare::history {
namespace {

using record::Json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

const std::string kHostile = "</script><script>alert(\"1\")</script><!-- ' \" & \\ \xff\xe2\x80\xa8";

TEST(ScriptJson, HoldsNoCharacterThatCouldEndItsElement) {
    const std::string text = script_json({{"<!--", kHostile}});
    EXPECT_THAT(text, Not(HasSubstr("<")));
    EXPECT_TRUE(Json::parse(text)["<!--"].get<std::string>().starts_with("</script><script>alert(\"1\")"));
}

TEST(Report, OfHostileRecordsIsWellFormedAndHoldsNoMarkup) {
    const ReportData data = sample_report(kHostile);
    const std::string text = report_json(data);
    EXPECT_THAT(text, Not(HasSubstr("<")));
    EXPECT_TRUE(Json::accept(text));
    for (const auto& [operation, island] : sample_islands(data)) {
        EXPECT_THAT(island, Not(HasSubstr("<")));
        EXPECT_TRUE(Json::accept(island));
    }
}

TEST(Report, CarriesRunsAndDuetsAsTheirRecordsDo) {
    const Json json = Json::parse(report_json(sample_report()));
    EXPECT_EQ(json["runs"][0]["tare"]["cases"][1]["case"], "add[kind=array,dtype=f8,n=8]");
    EXPECT_NEAR(json["runs"][0]["tare"]["cases"][1]["gross_ns"].get<double>(), 305, 2);
    EXPECT_THAT(json["runs"][0]["tare"]["ledgers"][0]["function_layers"], SizeIs(14));
    EXPECT_EQ(json["runs"][0]["record"]["machine"], "1b9f2e86");
    EXPECT_EQ(json["duet"]["tare"]["verdicts"][1]["verdict"], "slower");
}

TEST(Report, SaysWhereALevelMovedOnTheScaleOfItsPoints) {
    const Json trends = Json::parse(report_json(sample_report()))["trends"];
    EXPECT_EQ(trends["axis"], "version");
    EXPECT_THAT(trends["places"], SizeIs(8));
    const Json& series = trends["series"][0];
    EXPECT_EQ(series["points"][4], Json::parse("[4,315.0,299.0,316.0,5]"));
    EXPECT_NEAR(series["changes"][0]["before"].get<double>(), 300, 0.1);
    EXPECT_NEAR(series["changes"][0]["after"].get<double>(), 315, 0.1);
    EXPECT_EQ(series["changes"][0]["standing"], "proposed");
    EXPECT_EQ(series["not_searched"], "");
}

TEST(Report, SaysOfAHistoryThatItIsTooShortToBeSearched) {
    ReportData data = sample_report();
    data.trends[0].search = Search::kTooFewPoints;
    data.trends[0].points_needed = 12;
    const Json trends = Json::parse(report_json(data))["trends"];
    EXPECT_THAT(trends["series"][0]["not_searched"].get<std::string>(), HasSubstr("12 are needed"));
}

TEST(Report, ShowsHowLayersMovedFromReleaseToRelease) {
    const Json ledgers = Json::parse(report_json(sample_report()))["ledgers"];
    const Json& points = ledgers["cases"]["add[kind=array,dtype=f8,n=8]"];
    ASSERT_THAT(points, SizeIs(2));
    EXPECT_EQ(points[1]["total"].get<int>() - points[0]["total"].get<int>(), 200);
    EXPECT_EQ(points[0]["program"], points[1]["program"]);
    EXPECT_EQ(ledgers["records"][1]["version"], "2.4");
    EXPECT_THAT(points[0]["functions"], SizeIs(12));
}

TEST(Report, KeepsSamplesByOperationAndOfTheNewestRunOfACase) {
    ReportData data = sample_report();
    data.runs.push_back(data.runs[0]);
    data.runs[1].indexed.file = "older.json";
    const auto islands = sample_islands(data);
    std::vector<std::string> operations;
    for (const auto& [operation, json] : islands) operations.push_back(operation);
    EXPECT_THAT(operations, ElementsAre("add", "crash", "matmul", "sum"));
    const Json rows = Json::parse(islands[0].second);
    EXPECT_EQ(rows[0]["samples_ns"].size(), 7U);
    for (const Json& row : rows) EXPECT_EQ(row["record"], "new.json");
    data.runs[1].indexed.machine = "another";
    EXPECT_EQ(Json::parse(sample_islands(data)[0].second).size(), 2 * rows.size());
}

}  // namespace
}  // namespace tare::history
