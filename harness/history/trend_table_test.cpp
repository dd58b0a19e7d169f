// At stake: a trend is read at a glance, character by character, at every width; what the table shows the exports hold.
#include "harness/history/trend_table.h"

#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "harness/history/sparkline.h"
#include "harness/history/store_listing.h"
#include "harness/history/trend_exports.h"
#include "harness/record/golden.h"

namespace tare::history {
namespace {

using record::expect_golden;
using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::Le;

constexpr double kFirst_s = 1'700'000'000;
constexpr double kDay_s = 86'400;

core::Series series(const std::string& name, std::vector<double> values,
                    const std::string& machine = "1b9f2e862e5d3942") {
    core::Series made{{machine, "CPython 3.11.2, executable, 1 thread", name, "gross", ""}, {}, {}};
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::string version = "2." + std::to_string(i / 3) + ".0";
        made.points.push_back({"r" + std::to_string(i) + ".json", kFirst_s + kDay_s * static_cast<double>(i), version,
                               "c0ffee" + std::to_string(i), values[i], values[i] * 0.99, values[i] * 1.01, 5});
    }
    return made;
}

TrendChange change(std::size_t first, double before, double after, double p, Standing standing = Standing::kProposed,
                   std::string confirmation = {}) {
    return {{.first = first, .begin = 0, .end = 9, .before = std::log(before), .after = std::log(after), .p_value = p},
            after / before,
            standing,
            std::move(confirmation)};
}

TrendReport sample() {
    TrendReport report{"/store", "gross", Axis::kDate, {}, {{"1b9f2e862e5d3942", "Xeon, 2 CPUs, host vm"}}, {}};
    report.trends.push_back({series("add[kind=array,dtype=f8,n=8]", {312, 311, 313, 312, 400, 401, 399, 330, 331}),
                             {change(4, 312, 400, 1.2e-9),
                              change(7, 400, 330.5, 0.004, Standing::kConfirmed, "-17.4 % [-17.9, -16.9], 6 pairs")}});
    report.trends.push_back({series("add[kind=float]", {16.6, 16.7, 16.5, 16.6, 16.6, 16.7, 16.6, 16.5, 16.6}), {}});
    report.trends.push_back(
        {series("errstate", {1992, 1990, 1995, 792, 790, 795, 793}), {change(3, 1992, 792, 1e-12)}});
    report.trends.push_back({series("tare|odd", {-4, 3, 5}), {}});
    report.trends.push_back({series("one", {1'250'000}, "feed000000000000"), {}});
    report.trends[3].search = Search::kNotPositive;
    report.trends[4].search = Search::kTooFewPoints;
    report.trends[4].points_needed = 6;
    report.notes = {"a note"};
    report.counts = counts_of(report.trends);
    return report;
}

TEST(TrendTable, OfAWideTerminal) {
    expect_golden("trend.txt", print_trend_table(sample(), 0, {}));
}

TEST(TrendTable, OfANarrowTerminalInColor) {
    expect_golden("trend_80_color.txt", print_trend_table(sample(), 80, {.color = true, .unicode = true}));
}

TEST(TrendTable, ByVersion) {
    TrendReport report = sample();
    report.axis = Axis::kVersion;
    expect_golden("trend_version.txt", print_trend_table(report, 120, {}));
}

TEST(TrendTable, OfRatiosToAReference) {
    TrendReport report = sample();
    report.metric = "anchored";
    report.trends.resize(1);
    core::Series& only = report.trends[0].series;
    only.unit = core::SeriesUnit::kRatio;
    only.key.metric = "anchored";
    only.key.reference = "numpy 2.4.6";
    for (core::SeriesPoint& point : only.points) point.value /= 312;
    report.counts = counts_of(report.trends);
    expect_golden("trend_anchored.txt", print_trend_table(report, 0, {}));
}

TEST(TrendTable, ShowsRefutedChangesAndDoesNotCountThem) {
    TrendReport report = sample();
    for (TrendChange& change : report.trends[0].changes) change.standing = Standing::kRefuted;
    report.counts = counts_of(report.trends);
    const std::string text = print_trend_table(report, 0, {});
    EXPECT_THAT(text, HasSubstr("1 of 5 series changed"));
    EXPECT_THAT(text, HasSubstr("1 series not counted: a duet refuted all of its change points"));
    EXPECT_THAT(text, HasSubstr("+28.2 % on 2023-11-18 22:13 (2.1.0), refuted"));
}

TEST(TrendTable, CountsAllSeriesWhereOnlyChangedOnesAreShown) {
    TrendReport report = sample();
    report.trends.clear();
    const std::string text = print_trend_table(report, 0, {});
    EXPECT_THAT(text, HasSubstr("2 of 5 series changed; gross by date"));
    EXPECT_THAT(text, HasSubstr("1 series not searched for changes: too few points (10 are needed, 6 where"));
}

TEST(TrendTable, NamesEachMetricThatItShows) {
    TrendReport report = sample();
    report.trends[1].series.key.metric = "anchored";
    EXPECT_THAT(print_trend_table(report, 0, {}), HasSubstr("; gross and anchored by date"));
}

TEST(TrendTable, SaysAtWhichClockTimesAre) {
    TrendReport report = sample();
    report.trends[0].series.at_clock_ghz = 3.049;
    EXPECT_THAT(print_trend_table(report, 0, {}),
                HasSubstr("\ntimes at 3.05 GHz, as the oldest record that names a clock has them\n"));
    report.trends[1].series.at_clock_ghz = 2.98;
    report.trends[1].series.at_own_clock = 4;
    EXPECT_THAT(print_trend_markdown(report),
                AllOf(HasSubstr("\ntimes at 2.98 to 3.05 GHz, "), HasSubstr("; 4 as they were")));
    const auto json = nlohmann::json::parse(print_trend_json(report))["series"][1];
    EXPECT_EQ(json["at_clock_ghz"], 2.98);
    EXPECT_EQ(json["at_own_clock"], 4);
}

TEST(TrendExports, Csv) {
    expect_golden("trend.csv", print_trend_csv(sample()));
}

TEST(TrendExports, Markdown) {
    expect_golden("trend.md", print_trend_markdown(sample()));
}

TEST(TrendExports, JsonThatOthersCanParse) {
    const std::string text = print_trend_json(sample());
    const auto json = nlohmann::json::parse(text);
    EXPECT_EQ(json["series"].size(), 5U);
    EXPECT_EQ(json["series"][0]["points"][4]["gross_ns"], 400);
    EXPECT_NEAR(json["series"][0]["changes"][1]["after_ns"], 330.5, 1e-9);
    EXPECT_EQ(json["series"][0]["changes"][1]["standing"], "confirmed");
    EXPECT_EQ(json["series"][0]["searched"], true);
    EXPECT_EQ(json["series"][4]["searched"], false);
    EXPECT_EQ(json["series"][4]["not_searched"], "1 point, 6 are needed");
    EXPECT_EQ(json["counts"]["not_positive"], 1);
    expect_golden("trend.json", text);
}

TEST(Sparkline, RisesWithItsValues) {
    EXPECT_EQ(sparkline(std::vector<double>{1, 2, 4, 8}, 10), "▁▃▆█") << "equal steps on a logarithmic scale";
}

TEST(Sparkline, ShowsNoiseOfOnePercentAsNoise) {
    EXPECT_EQ(sparkline(std::vector<double>{100, 101, 100, 101}, 10), "▄▅▄▅");
}

TEST(Sparkline, OfMoreValuesThanColumnsShowsTheMeansOfNeighbours) {
    std::vector<double> values(1000, 10);
    std::fill(values.begin() + 500, values.end(), 20);
    EXPECT_EQ(sparkline(values, 4), "▁▁██");
}

TEST(Sparkline, OfNothingZeroOrOneValue) {
    EXPECT_EQ(sparkline({}, 10), "");
    EXPECT_EQ(sparkline(std::vector<double>{0, 0}, 10), "▅▅");
    EXPECT_EQ(sparkline(std::vector<double>{5}, 10), "▅");
    EXPECT_EQ(sparkline(std::vector<double>{-1, 1}, 10), "▁█") << "no logarithm";
}

StoreListing listing() {
    StoreListing listing{"/store", {}, {}, {}};
    listing.records.push_back({"a.json", "run", kFirst_s, "1b9f2e862e5d3942", "Xeon, 2 CPUs, host vm",
                               "CPython 3.11.2, executable, 1 thread", "2.4.6", "c0ffee", "", 808});
    listing.records.push_back({"b.json", "duet", kFirst_s + kDay_s, "1b9f2e862e5d3942", "Xeon, 2 CPUs, host vm",
                               "CPython 3.11.2, executable, 1 thread", "2.4.0", "", "numpy 2.4.6", 40});
    listing.refused.push_back(
        {"/store/records/c.json", {core::ErrorCode::kData, "'c.json' is damaged", "restore the file from a copy"}});
    return listing;
}

TEST(StoreListing, NamesRecordsMachinesAndWhatIsNone) {
    expect_golden("store.txt", print_listing(listing(), 0, {}));
}

TEST(StoreListing, InJson) {
    expect_golden("store.json", print_listing_json(listing()));
}

}  // namespace
}  // namespace tare::history
