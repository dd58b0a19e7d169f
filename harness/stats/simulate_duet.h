// Test data: duets made from known truths and seeded noise. Pair estimates are on the scale of ln(b/a).
#pragma once

#include <array>
#include <cmath>
#include <random>
#include <string_view>
#include <vector>

#include "harness/stats/quad.h"
#include "harness/stats/suite_decision.h"

namespace tare::stats {

enum class Noise {
    kGauss,
    kT3,            ///< heavy tails: Student's t with 3 degrees of freedom
    kContaminated,  ///< one value in ten with five times the standard deviation
    kBimodal,       ///< either of two modes, each a third as wide as they lie from 0
    kTightModes,    ///< the same, a tenth as wide: what a two-valued difference between the sides would look like
    kThreeModes,    ///< each side on either of two levels: -d, 0, 0, +d
};
inline constexpr std::array kAllNoises{Noise::kGauss,   Noise::kT3,         Noise::kContaminated,
                                       Noise::kBimodal, Noise::kTightModes, Noise::kThreeModes};

inline std::string_view name_of(Noise noise) {
    constexpr std::array<std::string_view, 6> kNames{"normal",  "t3",          "contaminated",
                                                     "bimodal", "tight modes", "three modes"};
    return kNames[static_cast<std::size_t>(noise)];
}

/// Symmetric around 0, with variance 1 whatever the shape.
inline double draw(std::mt19937_64& random, Noise noise) {
    std::normal_distribution<double> normal;
    const auto two_modes = [&](double width) {
        return (random() & 1 ? 1 : -1) * std::sqrt(1 - width * width) + width * normal(random);
    };
    switch (noise) {
        case Noise::kGauss:
            break;
        case Noise::kT3:
            return std::student_t_distribution<double>(3)(random) / std::sqrt(3.0);
        case Noise::kContaminated:
            return normal(random) * (random() % 10 == 0 ? 5 : 1) / std::sqrt(0.9 + 0.1 * 25);
        case Noise::kBimodal:
            return two_modes(0.3);
        case Noise::kTightModes:
            return two_modes(0.1);
        case Noise::kThreeModes: {
            const double level = static_cast<double>(random() & 1) - static_cast<double>(random() & 1);
            return level * std::sqrt(2 * 0.99) + 0.1 * normal(random);
        }
    }
    return normal(random);
}

inline std::vector<double> draw_pairs(std::mt19937_64& random, Noise noise, double truth, double sd, int pairs) {
    std::vector<double> values;
    for (int i = 0; i < pairs; ++i) values.push_back(truth + sd * draw(random, noise));
    return values;
}

/// The rounds of one case, `pairs` of them.
inline CaseSeries series_of(const std::vector<double>& values, const Margins& margins = {}) {
    CaseSeries series;
    series.margins = margins;
    for (const double value : values) series.values.push_back({static_cast<int>(series.values.size()), value, false});
    return series;
}

/// b and a in each other's place.
inline CaseSeries swapped(CaseSeries series) {
    for (RoundValue& value : series.values) value.log_ratio = -value.log_ratio;
    return series;
}

/// Standard deviations of pair estimates as 20 real cases had them: median 1.05 %, root mean square 1.5 %.
inline double draw_real_sd(std::mt19937_64& random) {
    return 0.0105 * std::exp(0.6 * std::normal_distribution<double>()(random));
}

/// `sd` of every case, or of each its own real one where it is 0. The first `changed` cases are changed by
/// `log_change`, the others not at all; on top of that each case is off by a steady error of standard deviation
/// `steady_sd`. The share `placement_share` of a pair's variance is that of a placement which is redrawn only every
/// `placement_rounds` rounds.
struct SuiteTruth {
    int cases = 60;
    int changed = 0;
    double log_change = 0;
    double sd = 0.01;
    double steady_sd = 0;
    Noise noise = Noise::kGauss;
    int placement_rounds = 1;
    double placement_share = 0;
};

inline std::vector<CaseSeries> draw_suite(std::mt19937_64& random, const SuiteTruth& truth, int pairs = 36) {
    std::vector<CaseSeries> suite;
    for (int i = 0; i < truth.cases; ++i) {
        const double sd = truth.sd > 0 ? truth.sd : draw_real_sd(random);
        const double steady = truth.steady_sd * draw(random, Noise::kGauss);
        const double change = i < truth.changed ? truth.log_change : 0;
        const double own_sd = sd * std::sqrt(1 - truth.placement_share);
        std::vector<double> values = draw_pairs(random, truth.noise, change + steady, own_sd, pairs);
        double placement = 0;
        for (int round = 0; round < pairs && truth.placement_share > 0; ++round) {
            if (round % truth.placement_rounds == 0)
                placement = sd * std::sqrt(truth.placement_share) * draw(random, truth.noise);
            values[static_cast<std::size_t>(round)] += placement;
        }
        suite.push_back(series_of(values));
    }
    return suite;
}

/// The states at the end. Planned looks fall on the same rounds for all cases: no other round needs a call.
inline std::vector<CaseState> decide_at_looks(const std::vector<CaseSeries>& suite, const SuiteRules& rules) {
    std::vector<CaseState> states;
    for (const int pairs : rules.plan.pairs) states = advance(std::move(states), suite, rules, pairs - 1, false);
    return states;
}

}  // namespace tare::stats
