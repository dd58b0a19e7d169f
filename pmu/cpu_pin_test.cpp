// At stake: a second of spinning on the one CPU that is judged, and a process that afterwards may run where it could.
#include "pmu/cpu_pin.h"

#include <gmock/gmock.h>

#include "pmu/cpu_choice.h"

namespace tare::pmu {
namespace {

TEST(CpuPin, HoldsTheThreadOnOneCpuAndThenLetsItGo) {
    const std::vector<int> before = allowed_cpus().value();
    {
        core::Expected<CpuPin> pin = CpuPin::pin(before.back());
        ASSERT_TRUE(pin);
        EXPECT_THAT(allowed_cpus().value(), testing::ElementsAre(before.back()));
        const CpuPin moved = std::move(*pin);
        EXPECT_THAT(allowed_cpus().value(), testing::ElementsAre(before.back()));
    }
    EXPECT_EQ(allowed_cpus().value(), before);
}

TEST(CpuPin, ToACpuThatIsNotThereIsRefusedWithTheReason) {
    const std::vector<int> before = allowed_cpus().value();
    EXPECT_EQ(CpuPin::pin(8000).error().what, "cannot pin this thread to CPU 8000: Invalid argument");
    EXPECT_EQ(allowed_cpus().value(), before);
}

}  // namespace
}  // namespace tare::pmu
