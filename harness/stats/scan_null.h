// How often noise alone makes a scan's statistic this large: interpolated in a table of simulated quantiles
// (scan_null_table.cpp, written by the program make_scan_null_table). Pure.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "harness/stats/level_scan.h"

namespace tare::stats {

/// Of the quantiles in the table.
inline constexpr std::array<double, 8> kScanTails{0.3, 0.1, 0.03, 0.01, 0.003, 0.001, 0.0003, 0.0001};
inline constexpr std::array<double, 6> kScanCorrelations{0, 0.2, 0.4, 0.6, 0.75, 0.9};

/// Statistics that a scan of `points` values of AR(1) noise exceeds with the probabilities kScanTails, by correlation
/// of the noise (not: of the residuals, which is noisier; that is in the quantiles).
struct ScanQuantiles {
    std::size_t points;
    std::array<std::array<float, kScanTails.size()>, kScanCorrelations.size()> by_correlation;
};

/// Ascending by points. A bump in more points than the last row's is judged by that: it is looked for at as many
/// places.
[[nodiscard]] std::span<const ScanQuantiles> scan_quantiles(LevelShape shape);

/// The p value of one scan, the noise being taken for AR(1) with the scan's own correlation. Never 0.
[[nodiscard]] double scan_p_value(LevelShape shape, std::size_t points, const LevelScan& scan);

}  // namespace tare::stats
