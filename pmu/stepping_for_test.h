// What tests of the stepper share: one stretch of code stepped, or the reason why nothing can be stepped here.
#pragma once

#include <gtest/gtest.h>

#include "pmu/stepper.h"

namespace tare::pmu {

class Stepping : public ::testing::Test {
  protected:
    void SetUp() override {
        const auto probe = Stepper::open(8);
        if (!probe) GTEST_SKIP() << probe.error().what;
    }

    template <class F>
    static core::Trace step(F&& f, std::size_t limit = 10'000) {
        core::Expected<Stepper> stepper = Stepper::open(limit);
        EXPECT_TRUE(stepper) << stepper.error().what;
        if (!stepper) return {};
        stepper->begin();
        f();
        stepper->end();
        return stepper->take();
    }
};

}  // namespace tare::pmu
