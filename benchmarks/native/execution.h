// The loop that all rungs without Python share, the floor included: one indirect call per execution.
// It is the same machine code for every rung, so the floor's time per execution can be subtracted.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "harness/core/native_request.h"

namespace tare::benchmarks {

/// One execution of a rung; `work` is the rung's own state.
using Execute = void (*)(void* work);

struct Batch {
    std::uint64_t n = 0;
    Execute execute = nullptr;
    void* work = nullptr;
};

/// BatchEntry::arm and BatchEntry::run on a Batch.
void arm_batch(void* batch, std::uint64_t n);
[[nodiscard]] bool run_batch(void* batch);

/// A rung that owns `work` and calls `execute(&work)` n times a batch. The caller fills in the names.
template <class Work>
[[nodiscard]] core::NativeRung rung_of(Work work, Execute execute) {
    struct State {
        Work work;
        Batch batch;
    };
    auto state = std::make_shared<State>(State{std::move(work), Batch{}});
    state->batch = Batch{.n = 0, .execute = execute, .work = &state->work};
    core::NativeRung rung;
    rung.entry = core::BatchEntry{.context = &state->batch, .arm = arm_batch, .run = run_batch};
    rung.state = std::move(state);
    return rung;
}

}  // namespace tare::benchmarks
