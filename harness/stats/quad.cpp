// Cross differences, their median per pair, and the split of the spread between pairs.
#include "harness/stats/quad.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "harness/core/median.h"
#include "harness/stats/estimators.h"

namespace tare::stats {

namespace {

bool is_time(double ns) {
    return std::isfinite(ns) && ns > 0;
}

/// Median over the quads first, first + step, first + 2 step, ...
double pooled_median(std::span<const Quad> quads, std::size_t first, std::size_t step) {
    std::vector<double> differences;
    for (std::size_t i = first; i < quads.size(); i += step)
        for (const double difference : cross_differences(quads[i])) differences.push_back(difference);
    return core::median(std::move(differences));
}

}  // namespace

std::array<double, 4> cross_differences(const Quad& quad) {
    std::array<double, 4> differences{};
    for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t j = 0; j < 2; ++j) differences[2 * i + j] = std::log(quad.b_ns[i]) - std::log(quad.a_ns[j]);
    return differences;
}

std::optional<PairEstimate> estimate_pair(std::span<const Quad> quads) {
    if (quads.empty()) return std::nullopt;
    for (const Quad& quad : quads)
        if (!std::ranges::all_of(quad.a_ns, is_time) || !std::ranges::all_of(quad.b_ns, is_time)) return std::nullopt;
    PairEstimate pair;
    pair.log_ratio = pooled_median(quads, 0, 1);
    pair.log_ratio_even = pooled_median(quads, 0, 2);
    pair.log_ratio_odd = quads.size() > 1 ? pooled_median(quads, 1, 2) : pair.log_ratio;
    pair.quads = static_cast<int>(quads.size());
    return pair;
}

std::optional<PairSpread> spread_of(std::span<const PairEstimate> pairs) {
    if (pairs.size() < 2) return std::nullopt;
    std::vector<double> whole, even, odd;
    for (const PairEstimate& pair : pairs) {
        whole.push_back(pair.log_ratio);
        even.push_back(pair.log_ratio_even);
        odd.push_back(pair.log_ratio_odd);
    }
    const double mean_even = mean(even), mean_odd = mean(odd);
    double products = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) products += (even[i] - mean_even) * (odd[i] - mean_odd);
    PairSpread spread;
    spread.pair_sd = *standard_deviation(whole);
    const double pair_variance = spread.pair_sd * spread.pair_sd;
    const double layout_variance = std::clamp(products / static_cast<double>(pairs.size() - 1), 0.0, pair_variance);
    spread.layout_sd = std::sqrt(layout_variance);
    spread.quads_sd = std::sqrt(pair_variance - layout_variance);
    return spread;
}

}  // namespace tare::stats
