// BatchEntry: the one shape of code that gets timed. Plain function pointers, so that the timed region holds one
// indirect call per batch and nothing that depends on configuration.
#pragma once

#include <cstdint>

namespace tare::core {

struct BatchEntry {
    void* context = nullptr;
    /// Gets ready for batches of n executions, outside the timed region (e.g. makes the Python integer n).
    void (*arm)(void* context, std::uint64_t n) = nullptr;
    /// Executes the armed n executions back to back. False: an execution failed, the reason is kept in the context.
    bool (*run)(void* context) = nullptr;
    /// Where each execution is timed by itself: what those of the last run took, in nanoseconds, without what was done
    /// before each. Null: all that a run does is timed.
    void (*own_times)(void* context, std::int64_t& wall_ns, std::int64_t& cpu_ns) = nullptr;
};

}  // namespace tare::core
