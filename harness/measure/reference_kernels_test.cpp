// At stake: that the references say something: they take time, each its own, wherever they run.
#include "harness/measure/reference_kernels.h"

#include <gmock/gmock.h>

namespace tare::measure {
namespace {

#if defined(__x86_64__)
TEST(ReferenceKernels, TakeAMicrosecondOrTwoAndNeverNone) {
    // 3,000 rounds of ten instructions, of which no core executes more than 12 at once nor at more than 8 GHz.
    constexpr double kLeastL1Ns = 3000.0 * 10 / 12 / 8;
    constexpr double kLeastAluNs = 2000.0 * 9 / 12 / 8;
    for (int i = 0; i < 100; ++i) {
        const core::References taken = time_references();
        EXPECT_GT(taken.l1_ns, kLeastL1Ns);
        EXPECT_GT(taken.alu_ns, kLeastAluNs);
    }
}
#else
TEST(ReferenceKernels, AreNoneOnThisArchitecture) {
    EXPECT_EQ(time_references(), core::References{});
}
#endif

}  // namespace
}  // namespace tare::measure
