// At stake: one record in the wrong place makes a step where none was, or hides one: 2.10 after 2.9, a candidate before
// its release, three records of a version as one point. What was not searched must not look unchanged.
#include "harness/history/trend.h"

#include <gmock/gmock.h>

#include <cmath>

namespace tare::history {
namespace {

using core::Series;
using core::SeriesPoint;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

SeriesPoint point(double date_s, const std::string& version, double value, const std::string& commit = {}) {
    return {.record = "r" + std::to_string(static_cast<int>(date_s)),
            .date_s = date_s,
            .version = version,
            .commit = commit,
            .value = value,
            .low = value * 0.99,
            .high = value * 1.01,
            .processes = 5};
}

Series series_of(std::vector<SeriesPoint> points) {
    return {{"machine", "environment", "add", "gross", ""}, core::SeriesUnit::kNanoseconds, std::move(points)};
}

std::vector<std::string> versions_of(const Series& series) {
    std::vector<std::string> versions;
    for (const SeriesPoint& each : series.points) versions.push_back(each.version);
    return versions;
}

std::vector<double> values_of(const Series& series) {
    std::vector<double> values;
    for (const SeriesPoint& each : series.points) values.push_back(each.value);
    return values;
}

TEST(OnAxis, PutsDatesInOrderAndKeepsTiesAsTheyCame) {
    const Series series =
        on_axis(series_of({point(3, "", 30), point(1, "", 10), point(2, "", 20), point(2, "", 21)}), Axis::kDate);
    EXPECT_THAT(values_of(series), ElementsAre(10, 20, 21, 30));
}

SeriesPoint beside(double date_s, double value, const std::string& packages) {
    SeriesPoint made = point(date_s, "2.4.6", value);
    made.packages = packages;
    return made;
}

TEST(OnAxis, NeverMergesAcrossVersionsOfSomethingElse) {
    const Series series = on_axis(
        series_of({beside(1, 10, "numpy 2.4.6 \nshapely 2.0.10 \n"), beside(2, 1, "numpy 2.4.6 \nshapely 2.0.9 \n"),
                   beside(3, 12, "numpy 2.4.6 \nshapely 2.0.10 \n"), point(4, "2.4.6", 7)}),
        Axis::kVersion);
    EXPECT_THAT(versions_of(series), ElementsAre("2.4.6", "2.4.6, shapely 2.0.9", "2.4.6, shapely 2.0.10"));
    EXPECT_THAT(values_of(series), ElementsAre(7, 1, 11));
}

TEST(OnAxis, MergesWhereNothingElseDiffered) {
    const std::string same = "numpy 2.4.6 \nshapely 2.0.10 \n";
    const Series series = on_axis(series_of({beside(1, 10, same), beside(2, 12, same)}), Axis::kVersion);
    EXPECT_THAT(versions_of(series), ElementsAre("2.4.6"));
}

TEST(OnAxis, OrdersVersionsByTheirNumbersNotByDateOrSpelling) {
    const Series series =
        on_axis(series_of({point(1, "2.10.0", 1), point(2, "2.9.1", 1), point(3, "2.9", 1), point(4, "1.26.4", 1)}),
                Axis::kVersion);
    EXPECT_THAT(versions_of(series), ElementsAre("1.26.4", "2.9", "2.9.1", "2.10.0"));
}

TEST(OnAxis, PutsDevelopmentVersionsAndCandidatesBeforeTheReleaseAndPostReleasesAfter) {
    const Series series = on_axis(series_of({point(1, "2.0.0", 1), point(2, "2.0.0rc2", 1), point(3, "2.0.0b1", 1),
                                             point(4, "2.0.0.dev0+git1", 1), point(5, "2.0.0.post1", 1),
                                             point(6, "2.0.0rc10", 1), point(7, "2.0.0a1", 1)}),
                                  Axis::kVersion);
    EXPECT_THAT(versions_of(series),
                ElementsAre("2.0.0.dev0+git1", "2.0.0a1", "2.0.0b1", "2.0.0rc2", "2.0.0rc10", "2.0.0", "2.0.0.post1"));
}

TEST(OnAxis, MakesSeveralRecordsOfAVersionOnePointOfTheirMedianAndOutermostBounds) {
    const Series series =
        on_axis(series_of({point(1, "2.0.0", 10), point(2, "2.0.0", 40), point(3, "2.0.0", 11)}), Axis::kVersion);
    ASSERT_THAT(series.points, SizeIs(1));
    const SeriesPoint& one = series.points[0];
    EXPECT_EQ(one.value, 11);
    EXPECT_EQ(one.low, 10 * 0.99);
    EXPECT_EQ(one.high, 40 * 1.01);
    EXPECT_EQ(one.processes, 15);
    EXPECT_EQ(one.date_s, 1);
    EXPECT_EQ(one.record, "r3") << "the latest";
}

TEST(OnAxis, OrdersCommitsByTheirFirstRecordAndLeavesOutPointsWithoutOne) {
    const Series series =
        on_axis(series_of({point(1, "", 1, "bbb"), point(2, "", 2, "aaa"), point(3, "", 3, "bbb"), point(4, "", 4)}),
                Axis::kCommit);
    ASSERT_THAT(series.points, SizeIs(2));
    EXPECT_EQ(series.points[0].commit, "bbb");
    EXPECT_EQ(series.points[0].value, 2) << "the median of 1 and 3";
    EXPECT_EQ(series.points[1].commit, "aaa");
}

TEST(FindTrends, SeesAStepOfTenPercentWhereItIs) {
    std::vector<SeriesPoint> points;
    for (int i = 0; i < 40; ++i) points.push_back(point(i, "", (i < 25 ? 100 : 110) * (1 + 0.001 * (i * 7 % 5))));
    const std::vector<Trend> trends = find_trends({series_of(std::move(points))}, Axis::kDate);
    ASSERT_THAT(trends, SizeIs(1));
    ASSERT_THAT(trends[0].changes, SizeIs(1));
    EXPECT_EQ(trends[0].changes[0].point.first, 25U);
    EXPECT_NEAR(trends[0].changes[0].change_ratio, 1.1, 0.01);
    EXPECT_EQ(trends[0].changes[0].standing, Standing::kProposed);
}

TEST(FindTrends, LooksForNothingWhereAValueHasNoLogarithmAndSaysSo) {
    std::vector<SeriesPoint> points;
    for (int i = 0; i < 40; ++i) points.push_back(point(i, "", i < 20 ? -5 : 100));
    const std::vector<Trend> trends = find_trends({series_of(std::move(points))}, Axis::kDate);
    EXPECT_THAT(trends[0].series.points, SizeIs(40));
    EXPECT_THAT(trends[0].changes, IsEmpty());
    EXPECT_EQ(trends[0].search, Search::kNotPositive);
}

TEST(FindTrends, SaysHowManyPointsItWouldNeed) {
    const auto found = [](int count, int processes) {
        std::vector<SeriesPoint> points;
        for (int i = 0; i < count; ++i) {
            points.push_back(point(i, "", 100));
            points.back().processes = processes;
        }
        Trend trend = find_trends({series_of(std::move(points))}, Axis::kDate)[0];
        return std::pair(trend.search, trend.points_needed);
    };
    EXPECT_EQ(found(9, 1), std::pair(Search::kTooFewPoints, std::size_t{10}));
    EXPECT_EQ(found(10, 1), std::pair(Search::kDone, std::size_t{10}));
    EXPECT_EQ(found(5, 2), std::pair(Search::kTooFewPoints, std::size_t{6}));
    EXPECT_EQ(found(6, 2), std::pair(Search::kDone, std::size_t{6}));
}

/// Of 12 versions, two records of one process each; within a process 8 % of noise, between them 1 %.
TEST(FindTrends, TakesTheNoiseOfSeveralRecordsOfAVersionFromTheirSpread) {
    std::vector<SeriesPoint> points;
    for (int i = 0; i < 24; ++i) {
        const int version = i / 2;
        points.push_back(point(i, "2." + std::to_string(version), (version < 6 ? 100 : 104) * (i % 2 == 0 ? 1 : 1.01)));
        points.back().low = points.back().value * 0.92;
        points.back().high = points.back().value * 1.08;
        points.back().processes = 1;
    }
    const Trend trend = find_trends({series_of(std::move(points))}, Axis::kVersion)[0];
    ASSERT_THAT(trend.series.points, SizeIs(12));
    EXPECT_EQ(trend.series.points[0].low, std::nullopt) << "two processes, but no interval over them";
    ASSERT_THAT(trend.changes, SizeIs(1));
    EXPECT_EQ(trend.series.points[trend.changes[0].point.first].version, "2.6");
}

TEST(IsChanged, WhereADuetRefutedNotAllChangePoints) {
    Trend trend;
    EXPECT_FALSE(is_changed(trend));
    trend.changes.resize(2);
    trend.changes[0].standing = trend.changes[1].standing = Standing::kRefuted;
    EXPECT_FALSE(is_changed(trend));
    trend.changes[1].standing = Standing::kNotTried;
    EXPECT_TRUE(is_changed(trend));
}

}  // namespace
}  // namespace tare::history
