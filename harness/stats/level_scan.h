// One scan of one segment: the strongest step, or the strongest bump (a level that returns), and how far it stands out
// of noise whose successive values depend on each other. Pure; p values are scan_null's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tare::stats {

/// Points that every level must have. The null distribution (scan_null_table) was simulated with these.
inline constexpr std::size_t kFewestPointsOfALevel = 3;
/// In the piece that a bump raises or lowers. With 3, one outlier would do: of 100 values with the tails of Student's t
/// (3 degrees of freedom), 12 series in 100 had a bump at p = 0.005; with 5 it is 0.8.
inline constexpr std::size_t kFewestPointsOfABump = 5;

enum class LevelShape : std::uint8_t { kStep, kBump };

/// Segments that have fewer points are not scanned for this shape.
[[nodiscard]] constexpr std::size_t fewest_points_for(LevelShape shape) {
    return 2 * kFewestPointsOfALevel + (shape == LevelShape::kBump ? kFewestPointsOfABump : 0);
}

struct LevelScan {
    std::size_t begin = 0;  ///< of the piece whose mean differs most from that of the others: [begin, end)
    std::size_t end = 0;    ///< of a step: the number of points
    /// |mean inside - mean outside| / (s f sqrt(1/inside + 1/outside)): s is the residual spread, n - 2 degrees of
    /// freedom; f = sqrt((1 + rho) / (1 - rho)) is what AR(1) noise multiplies the standard error of a mean by.
    double statistic = 0;
    double correlation = 0;  ///< rho: lag 1 of the residuals, corrected for their number, from 0 to 0.9
};

/// `least_spread` bounds s from below: what single points are known to be uncertain by. Values are finite; at least
/// fewest_points_for(shape) of them. A step is found in O(n), a bump in O(min(n, 500)^2). Ties: the first.
/// `independent`: rho is known to be 0.
[[nodiscard]] LevelScan scan_level(LevelShape shape, std::span<const double> values, double least_spread = 0,
                                   bool independent = false);

/// Do the medians inside and outside the piece differ in the direction of the means, by half as much at least? Where
/// they do not, the means differ by outliers. Of noise with the tails of Student's t (3 degrees of freedom) this takes
/// half of the false alarms away, of steps in normal noise none in a thousand.
[[nodiscard]] bool medians_agree(std::span<const double> values, const LevelScan& scan);

}  // namespace tare::stats
