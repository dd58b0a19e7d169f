// Change points of a series: where its level moved for good, with a known rate of false alarms also where successive
// values depend on each other. Proposals: a duet confirms them. Pure and deterministic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tare::stats {

struct ScanRules {
    double level = 0.01;            ///< of one scan of one segment
    double false_discovery = 0.05;  ///< among the change points of all series looked at together (Benjamini-Hochberg)
    std::size_t fewest_a_side = 3;  ///< points on each side of a change: what the scan's null was simulated with
    std::size_t fewest_points =
        10;                       ///< a shorter segment is searched only where points have standard errors, see below
    double least_change = 0.005;  ///< relative: smaller ones are nobody's concern
    bool operator==(const ScanRules&) const = default;
};

/// A series as the scan sees it: the logarithms of positive values, so that a change is relative.
struct ScanSeries {
    std::vector<double> values;
    /// Of each value, over processes; empty: unknown. They bound the residual spread from below.
    std::vector<double> standard_errors;
    /// Each value was measured beside a reference, or is an exact count: noise does not carry over to the next, and
    /// what looks like it are further changes of the code. Residuals are then not taken for AR(1).
    bool independent = false;
};

/// A series of fewer points is not searched.
[[nodiscard]] std::size_t fewest_points(const ScanSeries& series, const ScanRules& rules = {});

struct ChangePoint {
    std::size_t first = 0;  ///< the first point of the new level
    std::size_t begin = 0;  ///< of the segment before: its first point
    std::size_t end = 0;    ///< of the segment after: one past its last point
    double before = 0;      ///< level: mean of the segment, on the scale of the series
    double after = 0;
    double p_value = 1;      ///< of the scan that found it
    double correlation = 0;  ///< lag-1 of the residuals, as it was allowed for
    bool operator==(const ChangePoint&) const = default;
};

/// The change points of each series, ascending; those kept by Benjamini and Hochberg's procedure over the candidates of
/// all series. Source of the scan: statistic T = max |mean_right - mean_left| / (s f sqrt(1/n_left + 1/n_right)), with
/// f = sqrt((1 + rho) / (1 - rho)); binary segmentation. Beside the step it looks for a level that returns (in it
/// "left" is a piece in the middle, "right" all the rest), which a single split does not see; p is twice the smaller
/// one of the two. A candidate is a segment that was scanned, split or not: one series alone has the rate `level`, an
/// unchanged store of hundreds the chance `false_discovery` of any alarm.
[[nodiscard]] std::vector<std::vector<ChangePoint>> find_change_points(std::span<const ScanSeries> series,
                                                                       const ScanRules& rules = {});

}  // namespace tare::stats
