// FrameLook: who tells a stepper which Python frame runs, since nothing here knows Python.
#pragma once

#include "harness/core/trace.h"

namespace tare::pmu {

/// Asked at each step which Python frame runs; false: the same as before. Runs in the handler: what holds for it holds
/// for this. Fills all but `step`.
struct FrameLook {
    bool (*look)(void* context, core::PythonStep& found) noexcept = nullptr;
    void* context = nullptr;
};

}  // namespace tare::pmu
