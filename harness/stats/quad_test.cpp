// At stake: one number per pair of processes, which drift does not move, a spike does not move, and swapping negates.
#include "harness/stats/quad.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <iostream>
#include <limits>

#include "harness/stats/estimators.h"
#include "harness/stats/simulate_duet.h"
#include "harness/stats/simulate_neighbour.h"

namespace tare::stats {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

TEST(CrossDifferences, AreThoseOfEachBOverEachA) {
    EXPECT_THAT(cross_differences({{1, 2}, {8, 32}}),
                ElementsAre(DoubleNear(std::log(8), 1e-12), DoubleNear(std::log(4), 1e-12),
                            DoubleNear(std::log(32), 1e-12), DoubleNear(std::log(16), 1e-12)));
}

TEST(PairEstimate, IsTheMedianOverAllQuadsTogether) {
    // Differences, sorted: ln of 1.5 2 3 4 (first quad), 4 8 8 16 (second). A median of the quads' medians would be
    // (ln 2.45 + ln 8) / 2.
    const std::vector<Quad> quads{{{1, 2}, {3, 4}}, {{1, 2}, {8, 16}}};
    const PairEstimate pair = *estimate_pair(quads);
    EXPECT_NEAR(pair.log_ratio, std::log(4), 1e-12);
    EXPECT_NEAR(pair.log_ratio_even, (std::log(2) + std::log(3)) / 2, 1e-12);
    EXPECT_NEAR(pair.log_ratio_odd, std::log(8), 1e-12);
    EXPECT_EQ(pair.quads, 2);
}

TEST(PairEstimate, OfASteadyDriftIsTheTruth) {
    std::vector<Quad> quads;
    double clock_ratio = 1;  // everything slows down by 1 % from batch to batch
    const auto batch_ns = [&](double ns) { return ns * (clock_ratio *= 1.01); };
    for (int k = 0; k < 12; ++k) {
        Quad quad;
        const bool abba = k % 2 == 0;
        (abba ? quad.a_ns : quad.b_ns)[0] = batch_ns(abba ? 100 : 103);
        (abba ? quad.b_ns : quad.a_ns)[0] = batch_ns(abba ? 103 : 100);
        (abba ? quad.b_ns : quad.a_ns)[1] = batch_ns(abba ? 103 : 100);
        (abba ? quad.a_ns : quad.b_ns)[1] = batch_ns(abba ? 100 : 103);
        quads.push_back(quad);
    }
    EXPECT_NEAR(estimate_pair(quads)->log_ratio, std::log(1.03), 1e-12);
}

TEST(PairEstimate, IsNotMovedByOneQuadInFourThatWasDisturbed) {
    std::vector<Quad> quads(8, Quad{{100, 100}, {102, 102}});
    quads[1].b_ns = {900, 900};
    quads[4].b_ns = {5000, 102};
    EXPECT_NEAR(estimate_pair(quads)->log_ratio, std::log(1.02), 1e-12);
}

/// Both sides take the same, but for a neighbour that slows what it meets by 1.6.
std::vector<Quad> beside(Neighbour& neighbour, std::mt19937_64& random) {
    std::normal_distribution<double> normal;
    std::vector<Quad> quads;
    for (int i = 0; i < 24; ++i) {
        std::array<double, 4> batches_ns{};
        for (double& batch_ns : batches_ns) {
            batch_ns = 100 * (1 + 0.6 * neighbour.busy_in(0.25)) * (1 + 0.01 * normal(random));
            (void)neighbour.busy_in(0.1);  // until the other side has its request
        }
        const auto& [first, second, third, last] = batches_ns;
        const bool begins_with_a = (random() & 1) != 0;
        quads.push_back(begins_with_a ? Quad{{first, last}, {second, third}} : Quad{{second, third}, {first, last}});
        (void)neighbour.busy_in(1.5);  // both sides are placed anew
    }
    return quads;
}

TEST(PairEstimate, IsHardlyMovedByANeighbourThatComesAndGoes) {
    constexpr int kPairs = 200;
    std::mt19937_64 random(20261126);
    std::cout << "changes every  busy  SD of a pair by its batches alone\n";
    for (const double change_ms : {1.0, 10.0, 100.0, 1'000.0, 10'000.0})
        for (const double busy_ratio : {0.0, 0.25, 0.5, 0.75, 0.95}) {
            Neighbour neighbour(change_ms, busy_ratio, random);
            std::vector<double> logs;
            for (int pair = 0; pair < kPairs; ++pair) {
                logs.push_back(estimate_pair(beside(neighbour, random))->log_ratio);
                (void)neighbour.busy_in(1'000);
            }
            const double sd = *standard_deviation(logs);
            std::cout << fmt::format("{:9} ms  {:4.0f} %  {:.2f} %\n", change_ms, 100 * busy_ratio, 100 * sd);
            EXPECT_LT(sd, 0.01) << "as much as placement makes pairs differ: " << change_ms << " ms, " << busy_ratio;
            EXPECT_LT(std::abs(mean(logs)), 5 * sd / std::sqrt(kPairs)) << "a bias";
        }
}

TEST(PairEstimate, OfSwappedSidesIsNegatedExactly) {
    std::mt19937_64 random(3);
    std::vector<Quad> quads, mirror;
    for (int k = 0; k < 24; ++k) {
        const auto time_ns = [&] { return 300 * std::exp(0.1 * draw(random, Noise::kT3)); };
        quads.push_back({{time_ns(), time_ns()}, {time_ns(), time_ns()}});
        mirror.push_back({quads.back().b_ns, quads.back().a_ns});
    }
    const PairEstimate pair = *estimate_pair(quads), swapped = *estimate_pair(mirror);
    EXPECT_EQ(swapped.log_ratio, -pair.log_ratio);
    EXPECT_EQ(swapped.log_ratio_even, -pair.log_ratio_even);
    EXPECT_EQ(swapped.log_ratio_odd, -pair.log_ratio_odd);
}

TEST(PairEstimate, NeedsTimes) {
    EXPECT_FALSE(estimate_pair({}));
    for (const double bad : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()})
        EXPECT_FALSE(estimate_pair(std::vector<Quad>{{{100, 100}, {100, 100}}, {{100, 100}, {100, bad}}})) << bad;
}

TEST(PairSpread, TellsLayoutFromBatches) {
    std::mt19937_64 random(11);
    std::vector<PairEstimate> pairs;
    for (int r = 0; r < 2000; ++r) {
        const double layout = 0.01 * draw(random, Noise::kGauss);
        std::vector<Quad> quads;
        for (int k = 0; k < 24; ++k) {
            const auto batch_ns = [&](double log) { return 100 * std::exp(log + 0.03 * draw(random, Noise::kGauss)); };
            quads.push_back({{batch_ns(0), batch_ns(0)}, {batch_ns(layout), batch_ns(layout)}});
        }
        pairs.push_back(*estimate_pair(quads));
    }
    const PairSpread spread = *spread_of(pairs);
    EXPECT_NEAR(spread.layout_sd, 0.01, 0.0007);
    // 96 differences with a standard deviation of 3 % sqrt(2) have 48 independent batches a side; the median of cross
    // differences has 0.76 times the efficiency of their mean.
    EXPECT_NEAR(spread.quads_sd, 0.03 * std::sqrt(2.0 / 48 / 0.76), 0.0005);
    EXPECT_NEAR(spread.pair_sd, std::hypot(spread.layout_sd, spread.quads_sd), 1e-12);
}

TEST(PairSpread, OfTwoPairsWhoseHalvesAgreeIsAllLayout) {
    const PairSpread spread = *spread_of(std::vector<PairEstimate>{{0, 0, 0, 2}, {0.02, 0.02, 0.02, 2}});
    EXPECT_NEAR(spread.layout_sd, 0.02 / std::sqrt(2.0), 1e-12);  // of n - 1 degrees of freedom
    EXPECT_NEAR(spread.quads_sd, 0, 1e-9);
}

TEST(PairSpread, IsNotNegativeWhereHalvesContradictEachOther) {
    const PairSpread spread = *spread_of(std::vector<PairEstimate>{{0.01, -0.02, 0.04, 2}, {0.02, 0.05, -0.01, 2}});
    EXPECT_EQ(spread.layout_sd, 0);
    EXPECT_DOUBLE_EQ(spread.quads_sd, spread.pair_sd);
    EXPECT_FALSE(spread_of(std::vector<PairEstimate>{{0.01, 0.01, 0.01, 2}}));
}

}  // namespace
}  // namespace tare::stats
