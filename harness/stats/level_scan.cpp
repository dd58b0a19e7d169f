// Sums from the left turn the search into arithmetic on pairs of cuts; residuals are taken once, at the best ones.
#include "harness/stats/level_scan.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <vector>

#include "harness/core/median.h"

namespace tare::stats {

namespace {

/// Cuts tried for a bump. More points than that are cut at every second, third, ... place, then moved to the best one
/// nearby: 500^2 / 2 pairs take 0.2 ms, all pairs of 10,000 points would take 0.1 s.
constexpr std::size_t kMostCuts = 500;
constexpr double kMostCorrelated = 0.9;  ///< f = 4.4; beyond, noise and changes of level are one thing
constexpr double kLeastSpread = 1e-12;   ///< of logarithms: below lies their rounding, not a spread

struct Piece {
    std::size_t begin = 0, end = 0;
    double strength = -1;  ///< sum of squares that its mean explains
};

class Sums {
  public:
    explicit Sums(std::span<const double> values) : sums_{0} {
        const auto points = static_cast<double>(values.size());
        const double mean = std::accumulate(values.begin(), values.end(), 0.0) / points;
        sums_.reserve(values.size() + 1);
        for (const double value : values) sums_.push_back(sums_.back() + (value - mean));
        weights_.assign(values.size(), 0);
        for (std::size_t inside = 1; inside < values.size(); ++inside)
            weights_[inside] = points / (static_cast<double>(inside) * (points - static_cast<double>(inside)));
    }

    [[nodiscard]] std::size_t points() const { return sums_.size() - 1; }

    /// Replaces `best` by [begin, end) if that explains more.
    void try_piece(std::size_t begin, std::size_t end, Piece& best) const {
        const double sum = sums_[end] - sums_[begin];
        const double strength = sum * sum * weights_[end - begin];
        if (strength > best.strength) best = {begin, end, strength};
    }

  private:
    std::vector<double> sums_;     ///< of the first i values less their mean
    std::vector<double> weights_;  ///< 1 / inside + 1 / outside, by points inside: half of the time is not divisions
};

Piece strongest_step(const Sums& sums) {
    Piece best;
    for (std::size_t cut = kFewestPointsOfALevel; cut + kFewestPointsOfALevel <= sums.points(); ++cut)
        sums.try_piece(cut, sums.points(), best);
    return best;
}

Piece strongest_bump(const Sums& sums) {
    const std::size_t points = sums.points();
    const std::size_t stride = (points + kMostCuts - 1) / kMostCuts;
    Piece best;
    for (std::size_t begin = kFewestPointsOfALevel; begin + kFewestPointsOfABump + kFewestPointsOfALevel <= points;
         begin += stride)
        for (std::size_t end = begin + std::max(stride, kFewestPointsOfABump); end + kFewestPointsOfALevel <= points;
             end += stride)
            sums.try_piece(begin, end, best);
    return best;
}

/// The same bump with its cuts where they explain most, less than a stride away.
Piece moved_to_the_best(const Sums& sums, Piece bump) {
    const std::size_t points = sums.points();
    const std::size_t reach = (points + kMostCuts - 1) / kMostCuts - 1;
    const Piece coarse = bump;
    for (std::size_t end = coarse.end - std::min(reach, coarse.end); end <= coarse.end + reach; ++end)
        if (end >= bump.begin + kFewestPointsOfABump && end + kFewestPointsOfALevel <= points)
            sums.try_piece(bump.begin, end, bump);
    for (std::size_t begin = coarse.begin - std::min(reach, coarse.begin); begin <= coarse.begin + reach; ++begin)
        if (begin >= kFewestPointsOfALevel && begin + kFewestPointsOfABump <= bump.end)
            sums.try_piece(begin, bump.end, bump);
    return bump;
}

/// Lag 1 of residuals is biased towards less by about (1 + 4 rho) / n.
double corrected(double correlation, double points) {
    return std::clamp(correlation + (1 + 4 * correlation) / points, 0.0, kMostCorrelated);
}

void judge(std::span<const double> values, const Piece& piece, double least_spread, bool independent, LevelScan& scan) {
    const auto inside = static_cast<double>(piece.end - piece.begin);
    const double all = static_cast<double>(values.size()), outside = all - inside;
    const auto is_inside = [&](std::size_t i) { return piece.begin <= i && i < piece.end; };
    double inner = 0, outer = 0;
    for (std::size_t i = 0; i < values.size(); ++i) (is_inside(i) ? inner : outer) += values[i];
    inner /= inside;
    outer /= outside;
    double squares = 0, products = 0, last = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double residual = values[i] - (is_inside(i) ? inner : outer);
        squares += residual * residual;
        products += residual * last;
        last = residual;
    }
    const double spread = std::sqrt(squares / (all - 2));
    scan.correlation = spread > kLeastSpread && !independent ? corrected(products / squares, all) : 0;
    const double inflation = std::sqrt((1 + scan.correlation) / (1 - scan.correlation));
    scan.statistic = std::abs(inner - outer) /
                     (std::max({spread, least_spread, kLeastSpread}) * inflation * std::sqrt(1 / inside + 1 / outside));
}

}  // namespace

LevelScan scan_level(LevelShape shape, std::span<const double> values, double least_spread, bool independent) {
    assert(values.size() >= fewest_points_for(shape));
    assert(std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); }));
    const Sums sums(values);
    Piece piece = shape == LevelShape::kStep ? strongest_step(sums) : strongest_bump(sums);
    LevelScan scan;
    judge(values, piece, least_spread, independent, scan);  // before the cuts are moved: the null knows nothing of that
    if (shape == LevelShape::kBump) piece = moved_to_the_best(sums, piece);
    scan.begin = piece.begin;
    scan.end = piece.end;
    return scan;
}

bool medians_agree(std::span<const double> values, const LevelScan& scan) {
    std::vector<double> inside, outside;
    for (std::size_t i = 0; i < values.size(); ++i)
        (scan.begin <= i && i < scan.end ? inside : outside).push_back(values[i]);
    const auto mean = [](const std::vector<double>& part) {
        return std::accumulate(part.begin(), part.end(), 0.0) / static_cast<double>(part.size());
    };
    const double means = mean(inside) - mean(outside);
    const double medians = core::median(std::move(inside)) - core::median(std::move(outside));
    return medians * means >= 0.5 * means * means;
}

}  // namespace tare::stats
