// At stake: stored runs. Unequal and single values must not become "significant" (a widely used tool reports them so),
// and where levels wander from session to session the interval must know: 95 %.
#include "harness/stats/welch.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "harness/stats/simulate_duet.h"

namespace tare::stats {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(WelchContrast, AgreesWithExactArithmetic) {
    // Expected values from Python's fractions, rounded at the end.
    const std::vector<double> a{27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1,
                                21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4};
    const std::vector<double> b{27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0,
                                24.8, 20.2, 21.9, 22.1, 22.9, 30.5, 31.3};
    const Contrast contrast = *welch_contrast(moments_of(a), moments_of(b), std::nullopt);
    EXPECT_NEAR(contrast.log_ratio / contrast.standard_error, 2.949236837, 1e-8);
    EXPECT_NEAR(contrast.degrees_of_freedom, 27.31161047, 1e-7);
}

TEST(WelchContrast, TakesUnequalNumbersOfValues) {
    const std::vector<double> many{0.00, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07}, few{0.10, 0.12};
    const Contrast contrast = *welch_contrast(moments_of(many), moments_of(few), std::nullopt);
    EXPECT_NEAR(contrast.log_ratio, 0.075, 1e-15);
    EXPECT_NEAR(contrast.standard_error, std::sqrt(0.0006 / 8 + 0.0002 / 2), 1e-15);
    const double a = 0.0006 / 8, b = 0.0002 / 2;
    EXPECT_NEAR(contrast.degrees_of_freedom, (a + b) * (a + b) / (a * a / 7 + b * b), 1e-9);
    const Contrast back = *welch_contrast(moments_of(few), moments_of(many), std::nullopt);
    EXPECT_EQ(back.log_ratio, -contrast.log_ratio);
    EXPECT_DOUBLE_EQ(back.standard_error, contrast.standard_error);
}

TEST(WelchContrast, OfASingleValueIsNone) {
    const std::vector<double> one{0.1}, some{0.0, 0.001, 0.002};
    EXPECT_FALSE(welch_contrast(moments_of(one), moments_of(some), std::nullopt));
    EXPECT_FALSE(welch_contrast(moments_of(some), moments_of(one), SessionVariance{0.01, 7}));
}

TEST(WelchContrast, OfEqualValuesIsCertainAndHasNoDegreesToDivideBy) {
    const std::vector<double> flat{0.5, 0.5};
    const Contrast contrast = *welch_contrast(moments_of(flat), moments_of(flat), std::nullopt);
    EXPECT_EQ(contrast.standard_error, 0);
    EXPECT_EQ(contrast.degrees_of_freedom, kInfinity);
    EXPECT_EQ(p_above(contrast, 0), 1);
}

TEST(WelchContrast, AddsTheVarianceBetweenSessionsOfBothSides) {
    const std::vector<double> a{0.00, 0.02}, b{0.03, 0.05};  // s^2 / 2 = 0.0001 on each side
    const Contrast known = *welch_contrast(moments_of(a), moments_of(b), SessionVariance{0.0004, kInfinity});
    EXPECT_NEAR(known.standard_error, std::sqrt(0.0002 + 0.0008), 1e-12);
    EXPECT_NEAR(known.degrees_of_freedom, 1e-6 / (2 * 1e-8), 1e-6);
    const Contrast estimated = *welch_contrast(moments_of(a), moments_of(b), SessionVariance{0.0004, 4});
    EXPECT_NEAR(estimated.degrees_of_freedom, 1e-6 / (2 * 1e-8 + 0.0008 * 0.0008 / 4), 1e-6);
}

TEST(SessionVariance, NeedsEightSessionsAndIsNotMovedByAJump) {
    std::vector<double> levels{0.00, 0.01, 0.00, 0.01, 0.00, 0.01, 0.00};
    EXPECT_FALSE(session_variance(levels));
    levels.push_back(0.01);
    EXPECT_NEAR(session_variance(levels)->variance, 0.014826 * 0.014826 / 2, 1e-12);
    levels[7] = 3;  // one session after a change of machine
    EXPECT_NEAR(session_variance(levels)->variance, 0.014826 * 0.014826 / 2, 1e-12);
}

TEST(SessionVariance, IsThatOfTheSessionsWithTheStatedDegrees) {
    std::mt19937_64 random(137);
    constexpr int kRuns = 4000;
    double sum = 0, squares = 0, degrees = 0;
    for (int run = 0; run < kRuns; ++run) {
        const SessionVariance found = *session_variance(draw_pairs(random, Noise::kGauss, 2, 0.05, 60));
        sum += found.variance / kRuns;
        squares += found.variance * found.variance / kRuns;
        degrees = found.degrees_of_freedom;
    }
    EXPECT_NEAR(sum, 0.0025, 0.00015);
    const double relative_variance = squares / (sum * sum) - 1;
    EXPECT_NEAR(2 / relative_variance, degrees, 0.3 * degrees);  // of chi-square with d degrees: 2 / d
}

TEST(SessionVariance, HasAnUpperBoundThatIsRarelyExceeded) {
    const SessionVariance bound = upper_bound({0.0004, 5});
    EXPECT_NEAR(bound.variance, 0.0004 * 5 / 1.145476, 1e-8);  // 5 % of chi-square with 5 degrees lie below 1.145
    EXPECT_EQ(bound.degrees_of_freedom, kInfinity);
    EXPECT_EQ(upper_bound(bound), bound);
}

/// How often the interval of new / old holds the truth, where sessions wander by 3 % and processes by 1 %.
double coverage(bool with_session_term, int old_processes, int new_processes) {
    std::mt19937_64 random(139);
    constexpr int kRuns = 3000;
    int held = 0;
    for (int run = 0; run < kRuns; ++run) {
        const auto session = [&](int processes) {
            return draw_pairs(random, Noise::kGauss, 0.03 * draw(random, Noise::kGauss), 0.01, processes);
        };
        std::vector<double> history;
        for (int i = 0; i < 12; ++i) history.push_back(mean(session(5)));
        const auto wandering = with_session_term ? session_variance(history) : std::nullopt;
        const Interval ratios = ratio_interval(
            *welch_contrast(moments_of(session(old_processes)), moments_of(session(new_processes)), wandering));
        held += ratios.low <= 1 && 1 <= ratios.high;
    }
    return static_cast<double>(held) / kRuns;
}

TEST(WelchCoverage, IsNominalWithTheSessionTermAndFarFromItWithout) {
    EXPECT_LT(coverage(false, 10, 10), 0.4);
    for (const auto& [old_processes, new_processes] : {std::pair{5, 5}, {3, 20}}) {
        EXPECT_GE(coverage(true, old_processes, new_processes), 0.93) << old_processes;
        // A little too wide: the history holds the noise within a session too.
        EXPECT_LE(coverage(true, old_processes, new_processes), 0.99) << old_processes;
    }
}

}  // namespace
}  // namespace tare::stats
