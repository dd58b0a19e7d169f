// What tests of the stepper share: one stretch of code stepped, or the reason why nothing can be stepped here.
#pragma once

#include <gtest/gtest.h>

#include "pmu/stepper.h"

namespace tare::pmu {

class Stepping : public ::testing::Test {
  protected:
    void SetUp() override {
#if defined(__SANITIZE_THREAD__)
        GTEST_SKIP() << "ThreadSanitizer's own code is in every function, and SIGTRAP in its hands";
#endif
        const auto probe = Stepper::open(8);
        if (!probe) GTEST_SKIP() << probe.error().what;
    }

    template <class F>
    static core::Trace step(F&& f, std::size_t limit = kDefaultStepLimit) {
        core::Expected<Stepper> stepper = Stepper::open(limit);
        EXPECT_TRUE(stepper) << stepper.error().what;
        if (!stepper) return {};
        Stepper& open = *stepper;
        open.begin();
        f();
        open.end();
        return stepper->take();
    }
};

}  // namespace tare::pmu
