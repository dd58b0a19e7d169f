// A quad: two batches of each side in ABBA or BAAB order; and what the quads of one visit say about b against a.
// Times in ns per execution, estimates on the scale of ln(b/a). Pure.
#pragma once

#include <array>
#include <optional>
#include <span>

namespace tare::stats {

/// In either order the two batches of a side have the same mean time, so that a linear drift cancels; the order itself
/// does not enter the estimate.
struct Quad {
    std::array<double, 2> a_ns{};
    std::array<double, 2> b_ns{};
    bool operator==(const Quad&) const = default;
};

/// ln b_i - ln a_j for i, j in {1, 2}: only batches that stood side by side are compared.
[[nodiscard]] std::array<double, 4> cross_differences(const Quad& quad);

/// What one pair of processes says: one number, however many batches it is made of. Batches of a pair share their
/// memory layout and tell nothing about the next pair's.
struct PairEstimate {
    double log_ratio = 0;       ///< median of the cross differences of all quads
    double log_ratio_even = 0;  ///< the same of the quads 0, 2, 4, ...
    double log_ratio_odd = 0;   ///< and of 1, 3, 5, ...; equal to `log_ratio` where there is one quad
    int quads = 0;
    bool operator==(const PairEstimate&) const = default;
};

/// Median over the pooled cross differences: half the variance of the Hodges-Lehmann estimate of quad means on a
/// contended machine. Nothing without quads or where a time is not a positive number.
[[nodiscard]] std::optional<PairEstimate> estimate_pair(std::span<const Quad> quads);

/// Where the differences between pairs come from. Standard deviations of ln(b/a).
struct PairSpread {
    double pair_sd = 0;    ///< of pair estimates; what a verdict rests on
    double layout_sd = 0;  ///< the part that all batches of a pair share; more quads do not lower it
    double quads_sd = 0;   ///< the rest: falls with the square root of the number of quads
    bool operator==(const PairSpread&) const = default;
};

/// The shared part is the covariance of the two halves of a visit, 0 where that is negative.
/// Nothing for fewer than 2 pairs.
[[nodiscard]] std::optional<PairSpread> spread_of(std::span<const PairEstimate> pairs);

}  // namespace tare::stats
