// At stake: the 200 us of a batch. Sized by one interrupted batch of 8 executions, a statement of 7 ns was timed in
// batches of 50, where the clock's own cost doubled it.
#include "harness/measure/cost_estimate.h"

#include <gmock/gmock.h>

#include <map>
#include <vector>

namespace tare::measure {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::Ge;
using ::testing::Le;
using ::testing::Optional;
using ::testing::SizeIs;

/// A statement of `cost_ns` in a machine that takes `interruption_ns` away during the batches with these numbers.
struct Machine {
    double cost_ns = 7;
    double clock_ns = 60;
    std::map<int, double> interruption_ns = {};
    std::vector<std::uint64_t> sizes = {};

    std::optional<double> operator()(std::uint64_t n) {
        const auto taken = interruption_ns.find(static_cast<int>(sizes.size()));
        sizes.push_back(n);
        return clock_ns + cost_ns * static_cast<double>(n) + (taken == interruption_ns.end() ? 0 : taken->second);
    }
    std::optional<double> estimate(std::uint64_t unit) {
        return estimate_cost_ns(unit, [this](std::uint64_t n) { return (*this)(n); });
    }
};

TEST(CostEstimate, IsTheCostWithinAHundredth) {
    for (const double cost_ns : {0.3, 7.0, 310.0, 49'000.0, 6e6, 2e9}) {
        Machine machine{.cost_ns = cost_ns};
        EXPECT_THAT(machine.estimate(1), Optional(AllOf(Ge(cost_ns), Le(cost_ns * 1.01)))) << cost_ns;
    }
}

TEST(CostEstimate, IsNotThatOfAnInterruptionWhereverItFalls) {
    for (int interrupted = 0; interrupted < 12; ++interrupted)
        for (const double taken_ns : {60'000.0, 4e6, 2e7}) {
            Machine machine{.interruption_ns = {{interrupted, taken_ns}}};
            EXPECT_THAT(machine.estimate(8), Optional(AllOf(Ge(7), Le(7.1)))) << interrupted << ", " << taken_ns;
        }
}

TEST(CostEstimate, BearsTwoInterruptionsInARow) {
    Machine machine{.interruption_ns = {{0, 4e6}, {1, 4e6}}};
    EXPECT_THAT(machine.estimate(8), Optional(AllOf(Ge(7), Le(7.1))));
}

TEST(CostEstimate, ExecutesWholePassesAndASlowStatementOnce) {
    Machine fast;
    ASSERT_TRUE(fast.estimate(8));
    for (const std::uint64_t n : fast.sizes) EXPECT_EQ(n % 8, 0);
    Machine slow{.cost_ns = 3e8};
    ASSERT_TRUE(slow.estimate(1));
    EXPECT_THAT(slow.sizes, SizeIs(1)) << "0.3 s each";
    Machine middling{.cost_ns = 1e5};
    ASSERT_TRUE(middling.estimate(1));
    EXPECT_THAT(middling.sizes, AllOf(SizeIs(3), Each(1)));
}

TEST(CostEstimate, IsNoneWhereABatchFails) {
    for (const int fails : {0, 1, 4, 5}) {
        int batch = 0;
        const auto estimate = estimate_cost_ns(1, [&](std::uint64_t n) -> std::optional<double> {
            if (batch++ == fails) return std::nullopt;
            return 7.0 * static_cast<double>(n);
        });
        EXPECT_EQ(estimate, std::nullopt) << fails;
        EXPECT_EQ(batch, fails + 1);
    }
}

}  // namespace
}  // namespace tare::measure
