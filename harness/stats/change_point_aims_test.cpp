// At stake: in 100 values of unchanged code at most 2 series in 100 have a change point, and 8 in 100 where successive
// values correlate by 0.8; a step of twice the spread, 10 points old, is found in at least 85 of 100 within 2 points.
// Simulated, each series alone; change_point_characteristics prints the whole table, of 10,000 series.
#include <gmock/gmock.h>

#include "harness/stats/simulate_changes.h"

namespace tare::stats {
namespace {

constexpr int kSeries = 700;

TEST(ChangePointAims, UnchangedSeriesAreSeldomAlarmed) {
    const double most[] = {0.02, 0.04, 0.06, 0.05};
    for (std::size_t k = 0; k < std::size(kNoiseKinds); ++k) {
        const DetectionRates rates = detection_rates({kNoiseKinds[k]}, kSeries, 211);
        EXPECT_LE(rates.alarmed, most[k]) << kNoiseKinds[k].name;
        EXPECT_GE(rates.alarmed, 0.001) << kNoiseKinds[k].name;  // else the test shows nothing
    }
}

TEST(ChangePointAims, AFreshStepIsFoundInItsPlace) {
    const DetectionRates rates = detection_rates({kNoiseKinds[0], 100, 90, 100, 2}, kSeries, 223);
    EXPECT_GE(rates.near_2, 0.86);
    EXPECT_GE(rates.near_10, 0.95);
    EXPECT_LE(rates.spurious, 0.05);
}

TEST(ChangePointAims, ARegressionThatWasRepairedIsFoundWithBothEnds) {
    EXPECT_GE(detection_rates({kNoiseKinds[0], 100, 35, 65, 2}, kSeries, 229).both_ends, 0.8);
    EXPECT_GE(detection_rates({kNoiseKinds[0], 100, 45, 55, 3}, kSeries, 233).both_ends, 0.9);
}

TEST(ChangePointAims, AnUnchangedStoreOfFiveHundredSeriesIsSilent) {
    int alarmed = 0;
    for (unsigned store = 0; store < 12; ++store) {
        std::mt19937_64 random(300 + store);
        std::vector<ScanSeries> series(500, {std::vector<double>(30), {}});
        for (ScanSeries& one : series) draw_noise(random, 0, one.values);
        const auto found = find_change_points(series);
        alarmed += std::any_of(found.begin(), found.end(), [](const auto& points) { return !points.empty(); });
    }
    EXPECT_LE(alarmed, 3);  // 0.6 are expected; 4 or more in 0.3 of 100 runs at the nominal rate
}

}  // namespace
}  // namespace tare::stats
