// At stake: 12.7. So many standard errors is half a t interval over two processes; read as 1.96, the noise that it
// claims hides a step of 4 % in all of 30 series whose processes differ by 1 %.
#include "harness/history/point_error.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

#include "harness/history/trend.h"
#include "harness/stats/estimators.h"

namespace tare::history {
namespace {

using core::SeriesPoint;
using testing::DoubleNear;
using testing::Gt;
using testing::Le;
using testing::Optional;

constexpr double kNoise = 0.01;  // standard deviation of a process, relative

core::SeriesKey key(const std::string& metric = "gross") {
    return {"machine", "environment", "add", metric, ""};
}

SeriesPoint bounded(double value, double low, double high, int processes) {
    SeriesPoint point;
    point.value = value;
    point.low = low;
    point.high = high;
    point.processes = processes;
    return point;
}

/// A record of `processes`, as a run makes it.
SeriesPoint drawn(std::mt19937_64& random, int processes, double level, double date_s) {
    std::normal_distribution<double> noise(std::log(level), kNoise);
    std::vector<double> values;
    for (int i = 0; i < processes; ++i) values.push_back(std::exp(noise(random)));
    SeriesPoint point;
    point.date_s = date_s;
    point.processes = processes;
    double sum = 0;
    for (const double value : values) sum += std::log(value);
    point.value = std::exp(sum / processes);
    if (const auto interval = stats::log_t_interval(values)) {
        point.low = interval->low;
        point.high = interval->high;
    }
    return point;
}

/// How many of `count` series of 20 points, each alone, are said to have changed.
int changed(int count, int processes, double second_half) {
    std::mt19937_64 random(20'261'121);
    int found = 0;
    for (int i = 0; i < count; ++i) {
        core::Series series{key(), core::SeriesUnit::kNanoseconds, {}};
        for (int at = 0; at < 20; ++at)
            series.points.push_back(drawn(random, processes, at < 10 ? 100 : 100 * second_half, at));
        found += is_changed(find_trends({std::move(series)}, Axis::kDate)[0]) ? 1 : 0;
    }
    return found;
}

TEST(PointErrors, UndoTheTIntervalOfAnyNumberOfProcesses) {
    std::mt19937_64 random(1);
    for (const int processes : {2, 3, 5, 10}) {
        constexpr int kPoints = 4000;
        PointErrors errors(key());
        double squares = 0;
        for (int i = 0; i < kPoints; ++i) squares += std::pow(*errors.of(drawn(random, processes, 100, 0)), 2);
        EXPECT_NEAR(std::sqrt(squares / kPoints), kNoise / std::sqrt(processes), 0.05 * kNoise) << processes;
    }
}

TEST(PointErrors, LetAStepBeSeenWhateverTheNumberOfProcesses) {
    for (const int processes : {2, 3, 5}) EXPECT_THAT(changed(30, processes, 1.04), Gt(27)) << processes;
}

TEST(PointErrors, RaiseNoAlarmInUnchangedSeries) {
    for (const int processes : {2, 3, 5})
        EXPECT_THAT(changed(1000, processes, 1), Le(20)) << processes << " processes; the level is 1 %";
}

TEST(PointErrors, OfAnIntervalWithinOneProcessIsUnknown) {
    SeriesPoint point = bounded(100, 99.9, 100.1, 1);
    EXPECT_EQ(PointErrors(key()).of(point), std::nullopt);
    point.processes = 2;
    point.low.reset();
    EXPECT_EQ(PointErrors(key()).of(point), std::nullopt) << "nor without one";
}

TEST(PointErrors, OfSeveralRecordsIsTheSpreadOfTheRecords) {
    const SeriesPoint one = bounded(100, 99.999, 100.001, 1);
    SeriesPoint other = one;
    other.value = 102;
    const double expected = std::log(1.02) / 2;  // of two values: half their distance
    EXPECT_THAT(PointErrors(key()).of(one, {one, other}), Optional(DoubleNear(expected, 1e-9)));
    EXPECT_THAT(PointErrors(key()).of(one, {one}), testing::Eq(std::nullopt));
}

TEST(PointErrors, OfInstructionsComesFromTheirRangeOverLayouts) {
    std::mt19937_64 random(2);
    std::normal_distribution<double> noise(std::log(3770), kNoise);
    for (const int layouts : {2, 5, 10}) {
        PointErrors errors(key("instructions"));
        double sum = 0;
        for (int i = 0; i < 4000; ++i) {
            std::vector<double> counts;
            for (int k = 0; k < layouts; ++k) counts.push_back(std::exp(noise(random)));
            const auto [low, high] = std::ranges::minmax(counts);
            sum += *errors.of(bounded(low, low, high, layouts));
        }
        EXPECT_NEAR(sum / 4000, kNoise, 0.1 * kNoise) << layouts << " layouts";
    }
}

}  // namespace
}  // namespace tare::history
