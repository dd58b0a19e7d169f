// At stake: "from n = 19 on the array beats the loop". Overhead and slope are recovered from noisy times, and no line
// is claimed where the cost is cubic.
#include "harness/stats/size_fit.h"

#include <gmock/gmock.h>

#include <fmt/format.h>

#include "harness/stats/simulate.h"

namespace tare::stats {
namespace {

using core::RungKind;
using testing::DoubleNear;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

core::Visit case_of(const std::string& name, double gross_ns) {
    return visit_of(name, 0, {rung_of_values(RungKind::kPython, {gross_ns, gross_ns})});
}

/// Gross of array cases at each n as `cost_ns` says, and of the scalar baseline.
template <class Cost>
std::vector<SizeFit> fits_of(const std::vector<int>& sizes, Cost cost_ns, std::optional<double> scalar_ns) {
    std::vector<core::Visit> visits;
    for (const int n : sizes) visits.push_back(case_of(fmt::format("add[kind=array,n={}]", n), cost_ns(n)));
    if (scalar_ns) visits.push_back(case_of("add[kind=float]", *scalar_ns));
    return fit_sizes(estimate_cases(visits));
}

TEST(SizeFit, RecoversALineAndTheBreakEven) {
    const auto fits = fits_of(
        {1, 8, 64, 512}, [](int n) { return 300 + 0.5 * n; }, 16.5);
    ASSERT_THAT(fits, SizeIs(1));
    EXPECT_EQ(fits[0].name, "add[kind=array]");
    ASSERT_TRUE(fits[0].fit);
    EXPECT_THAT(fits[0].fit->overhead_ns, DoubleNear(300, 1e-6));
    EXPECT_THAT(fits[0].fit->slope_ns, DoubleNear(0.5, 1e-9));
    EXPECT_EQ(fits[0].break_even_n, 19);  // 300 + 0.5 n < 16.5 n from n > 18.75
}

TEST(SizeFit, AtTheExactTieTheLoopIsNotYetBeaten) {
    const auto fits = fits_of(
        {1, 8, 64}, [](int n) { return 300 + 1.0 * n; }, 16.0);
    EXPECT_EQ(fits[0].break_even_n, 21);  // 320 = 20 * 16 is a tie
}

TEST(SizeFit, RecoversTheParametersFromNoisyTimes) {
    std::mt19937_64 random(20'261'121);
    std::normal_distribution<double> normal;
    double overhead_ns = 0, slope_ns = 0;
    constexpr int kRuns = 500;
    for (int run = 0; run < kRuns; ++run) {
        const auto fits = fits_of(
            {1, 4, 16, 64, 256, 1024}, [&](int n) { return (400 + 0.3 * n) * (1 + 0.02 * normal(random)); }, 20.0);
        ASSERT_TRUE(fits[0].fit);
        overhead_ns += fits[0].fit->overhead_ns / kRuns;
        slope_ns += fits[0].fit->slope_ns / kRuns;
        EXPECT_THAT(fits[0].fit->overhead_ns, DoubleNear(400, 40));
        EXPECT_THAT(*fits[0].break_even_n, testing::AllOf(testing::Ge(18), testing::Le(24)));
    }
    EXPECT_THAT(overhead_ns, DoubleNear(400, 4));
    EXPECT_THAT(slope_ns, DoubleNear(0.3, 0.003));
}

TEST(SizeFit, WeighsRelativeErrorsSoThatALargeSizeDoesNotDrownTheOverhead) {
    // 100 + n, but the largest size is 10 % off: unweighted, the overhead comes out as about 120
    const auto fit = fit_line({1, 10, 1000, 2000}, {101, 110, 1100, 1890});
    ASSERT_TRUE(fit);
    EXPECT_THAT(fit->overhead_ns, DoubleNear(100, 5));
}

TEST(SizeFit, ClaimsNoLineForACubicCost) {
    const auto fits = fits_of(
        {4, 16, 64, 256}, [](int n) { return 500 + 0.05 * n * n * n; }, 20.0);
    ASSERT_THAT(fits, SizeIs(1));
    EXPECT_FALSE(fits[0].fit);
    EXPECT_THAT(fits[0].fit_reason, HasSubstr("misses a size by"));
    EXPECT_FALSE(fits[0].break_even_n);
    EXPECT_FALSE(fits[0].break_even_reason.empty());
}

TEST(SizeFit, SaysWhyThereIsNoBreakEven) {
    const auto line = [](int n) { return 300 + 20.0 * n; };
    EXPECT_THAT(fits_of({1, 8, 64}, line, std::nullopt)[0].break_even_reason, HasSubstr("no case of 'add'"));
    EXPECT_THAT(fits_of({1, 8, 64}, line, 15.0)[0].break_even_reason, HasSubstr("no less than a scalar's 15 ns"));
    EXPECT_THAT(fits_of({1, 8, 64}, line, 21.0)[0].break_even_reason,
                HasSubstr("beyond the largest size measured, 64"));
}

TEST(SizeFit, BeatsTheLoopFromOneWhereThereIsNoOverhead) {
    EXPECT_EQ(fits_of(
                  {1, 8, 64}, [](int n) { return 2.0 * n; }, 15.0)[0]
                  .break_even_n,
              1);
}

TEST(SizeFit, LeavesOutSizesThatABusyNeighbourSlowed) {
    const auto fits_with = [](const std::vector<int>& busy, bool busy_scalar) {
        std::vector<core::Visit> visits;
        for (const int n : {1, 8, 64, 512})
            visits.push_back(case_of(fmt::format("add[kind=array,n={}]", n), 300 + 0.5 * n));
        visits.push_back(case_of("add[kind=float]", 16.5));
        std::vector<CaseEstimate> cases = estimate_cases(visits);
        for (CaseEstimate& each : cases) each.quiet = Quietness{};
        for (const int i : busy) {
            CaseEstimate& slowed = cases[static_cast<std::size_t>(i)];
            slowed.quiet->busy = true;
            for (RungEstimate& rung : slowed.rungs) rung.time_ns.value *= 1.8;
        }
        cases.back().quiet->busy = busy_scalar;
        return fit_sizes(cases);
    };
    const SizeFit one_busy = fits_with({0}, false).at(0);
    EXPECT_THAT(one_busy.sizes, SizeIs(4));
    ASSERT_TRUE(one_busy.fit);
    EXPECT_THAT(one_busy.fit->overhead_ns, DoubleNear(300, 1e-6));
    EXPECT_EQ(one_busy.break_even_n, 19);
    EXPECT_EQ(fits_with({}, true).at(0).break_even, BreakEven::kNoBaseline);
    EXPECT_EQ(fits_with({}, true).at(0).break_even_reason, "'add[kind=float]' was busy");
    const SizeFit two_busy = fits_with({0, 3}, false).at(0);
    EXPECT_FALSE(two_busy.fit);
    EXPECT_EQ(two_busy.fit_reason, "2 of 4 sizes were quiet");
    const SizeFit all_busy = fits_with({0, 1, 2, 3}, true).at(0);  // slowed alike
    ASSERT_TRUE(all_busy.fit);
    EXPECT_THAT(all_busy.fit->slope_ns, DoubleNear(0.9, 1e-9));
}

TEST(SizeFit, NeedsThreeSizesAndANumber) {
    EXPECT_THAT(fits_of(
                    {1, 8}, [](int n) { return 300.0 + n; }, 20.0),
                IsEmpty());
    std::vector<core::Visit> visits;
    for (const char* n : {"2x3", "4x6", "8x12", "0", "-1"})
        visits.push_back(case_of(fmt::format("dot[kind=array,n={}]", n), 100));
    EXPECT_THAT(fit_sizes(estimate_cases(visits)), IsEmpty());
}

}  // namespace
}  // namespace tare::stats
