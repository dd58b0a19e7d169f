// Many benchmarks at once: which of them may be called changed so that at most a share q of those called so are not.
// Pure. The order of the cases does not matter; ties fall on the same side.
#pragma once

#include <span>
#include <vector>

namespace tare::stats {

/// Benjamini and Hochberg 1995: rejects p <= q k / N for the largest such k. Controls the false discovery rate at q for
/// independent and positively dependent p values.
[[nodiscard]] std::vector<bool> benjamini_hochberg(std::span<const double> p_values, double q);

/// Benjamini and Yekutieli 2001: the same at q / (1 + 1/2 + ... + 1/N); holds under any dependence.
[[nodiscard]] std::vector<bool> benjamini_yekutieli(std::span<const double> p_values, double q);

/// Wang and Ramdas 2022 (e-BH): rejects e >= N / (q k) for the largest such k; holds under any dependence.
[[nodiscard]] std::vector<bool> e_benjamini_hochberg(std::span<const double> e_values, double q);

}  // namespace tare::stats
