// All sign patterns in Gray-code order, one addition each; or drawn ones.
#include "harness/stats/sign_flip.h"

#include <bit>
#include <cassert>
#include <cmath>
#include <random>
#include <vector>

namespace tare::stats {

namespace {

constexpr int kDraws = 9'999;

/// Sums that differ by less than this from the observed one are equal to it but for rounding.
double rounding(std::span<const double> values) {
    double largest_sum = 0;
    for (const double v : values) largest_sum += std::abs(v);
    return 1e-10 * largest_sum;  // a million additions in Gray-code order
}

double sum_of(std::span<const double> values) {
    double sum = 0;
    for (const double v : values) sum += v;
    return sum;
}

double exact_p(std::span<const double> values, double threshold) {
    std::vector<double> twice(values.begin(), values.end());
    for (double& v : twice) v *= 2;
    const std::uint64_t patterns = std::uint64_t{1} << values.size();
    double sum = sum_of(values);
    std::uint64_t flipped = 0;
    std::uint64_t reaching = sum >= threshold;
    for (std::uint64_t k = 1; k < patterns; ++k) {
        const int i = std::countr_zero(k);
        const std::uint64_t bit = std::uint64_t{1} << i;
        sum += flipped & bit ? twice[static_cast<std::size_t>(i)] : -twice[static_cast<std::size_t>(i)];
        flipped ^= bit;
        reaching += sum >= threshold;
    }
    return static_cast<double>(reaching) / static_cast<double>(patterns);
}

double drawn_p(std::span<const double> values, double threshold, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    int reaching = 1;  // the observed pattern
    for (int draw = 0; draw < kDraws; ++draw) {
        double sum = 0;
        std::uint64_t bits = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (i % 64 == 0) bits = random();
            sum += bits >> (i % 64) & 1 ? values[i] : -values[i];
        }
        reaching += sum >= threshold;
    }
    return static_cast<double>(reaching) / (kDraws + 1);
}

}  // namespace

double sign_flip_p(std::span<const double> values, std::uint64_t seed) {
    assert(!values.empty());
    const double threshold = sum_of(values) - rounding(values);
    return values.size() <= kExactSignFlips ? exact_p(values, threshold) : drawn_p(values, threshold, seed);
}

}  // namespace tare::stats
