// StepHooks: what is called on both sides of the one pass of a loop that is to be recorded. Plain function pointers, so
// that the folder that holds CPython need not know the folder that steps.
#pragma once

namespace tare::core {

struct StepHooks {
    void* context = nullptr;
    void (*begin)(void* context) = nullptr;
    /// Called at least once after begin, also where the pass raised; harmless when called again.
    void (*end)(void* context) = nullptr;
};

}  // namespace tare::core
