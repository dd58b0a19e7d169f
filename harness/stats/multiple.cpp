// The step-up rule that the three procedures share.
#include "harness/stats/multiple.h"

#include <algorithm>

namespace tare::stats {

namespace {

/// Rejects all values up to the largest one that is at most q k / N, k being its place in ascending order.
std::vector<bool> step_up(std::span<const double> values, double q) {
    std::vector<double> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    std::size_t rejected = 0;
    for (std::size_t k = 1; k <= sorted.size(); ++k)
        if (sorted[k - 1] <= q * static_cast<double>(k) / static_cast<double>(sorted.size())) rejected = k;
    std::vector<bool> result(values.size(), false);
    if (rejected == 0) return result;
    for (std::size_t i = 0; i < values.size(); ++i) result[i] = values[i] <= sorted[rejected - 1];
    return result;
}

}  // namespace

std::vector<bool> benjamini_hochberg(std::span<const double> p_values, double q) {
    return step_up(p_values, q);
}

std::vector<bool> benjamini_yekutieli(std::span<const double> p_values, double q) {
    double harmonic = 0;
    for (std::size_t k = 1; k <= p_values.size(); ++k) harmonic += 1 / static_cast<double>(k);
    return step_up(p_values, p_values.empty() ? q : q / harmonic);
}

std::vector<bool> e_benjamini_hochberg(std::span<const double> e_values, double q) {
    std::vector<double> inverses;
    for (const double e : e_values) inverses.push_back(1 / e);  // e = 0 becomes infinity: never rejected
    return step_up(inverses, q);
}

}  // namespace tare::stats
