// At stake: that CPython has specialised what is timed, on both sides of a duet alike, and that no slow statement is
// executed more often than it takes.
#include "harness/measure/warm_up.h"

#include <gmock/gmock.h>

#include <vector>

namespace tare::measure {
namespace {

/// Passes until the warm-up ends, each of which takes so long, and `beside_ns` before it.
int passes_of(std::int64_t pass_ns, int fewest_alone = 0, std::int64_t beside_ns = 0) {
    WarmUp warm_up(fewest_alone);
    for (int passes = 1;; ++passes)
        if (warm_up.passed(pass_ns, passes * (pass_ns + beside_ns))) return passes;
}

TEST(WarmUp, IsAsLongAsCPythonTakesUnlessTheStatementIsSlow) {
    EXPECT_EQ(passes_of(100), 20);
    EXPECT_EQ(passes_of(150'000), 14);
    EXPECT_EQ(passes_of(5'000'000), 3);
    EXPECT_EQ(passes_of(30'000'000), 1);
}

TEST(WarmUp, DoesNotCountWhatIsDoneBeforeEachExecutionButHasAnEnd) {
    EXPECT_EQ(passes_of(100, WarmUp::kFewestPassesAlone, 1'000'000), 20);
    EXPECT_EQ(passes_of(100, WarmUp::kFewestPassesAlone, 8'000'000), 13);
    EXPECT_EQ(passes_of(100, WarmUp::kFewestPassesAlone, 1'000'000'000), 9);
    EXPECT_EQ(passes_of(5'000'000, WarmUp::kFewestPassesAlone, 1'000'000'000), 3);
    EXPECT_EQ(passes_of(100, WarmUp::kFewestPasses, 1'000'000'000), 3) << "its empty loop";
}

TEST(WarmUp, IsNotEndedByAPreemption) {
    WarmUp warm_up;
    EXPECT_FALSE(warm_up.passed(1'000, 1'000));
    EXPECT_FALSE(warm_up.passed(50'000'000, 50'001'000));
    EXPECT_FALSE(warm_up.passed(50'000'000, 100'001'000));
    EXPECT_EQ(warm_up.first_ns(), 1'000);
    EXPECT_EQ(warm_up.fastest_ns(), 1'000);
}

}  // namespace
}  // namespace tare::measure
