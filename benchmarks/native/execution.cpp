// The timed loop of all rungs without Python, and its floor. Runs inside the timed region: no allocation, no lock.
#include "benchmarks/native/execution.h"

#include "benchmarks/native/native.h"

namespace tare::benchmarks {
namespace {

struct Nothing {};

[[gnu::noinline]] void execute_nothing(void* work) {
    asm volatile("" : : "r"(work) : "memory");  // keeps the empty function from being found pure and its calls dropped
}

}  // namespace

void arm_batch(void* batch, std::uint64_t n) {
    static_cast<Batch*>(batch)->n = n;
}

// Aligned, so that the loop lies alike in cache lines whatever is linked around it.
[[gnu::noinline, gnu::aligned(64)]] bool run_batch(void* batch) {
    const Batch& armed = *static_cast<const Batch*>(batch);
    const Execute execute = armed.execute;
    void* const work = armed.work;
    for (std::uint64_t left = armed.n; left != 0; --left) {
        execute(work);
        asm volatile("" : : "r"(work) : "memory");  // results are written and operands read again in each execution
    }
    return true;
}

core::NativeRung make_native_floor() {
    core::NativeRung rung = rung_of(Nothing{}, execute_nothing);
    rung.routine = "empty";
    return rung;
}

}  // namespace tare::benchmarks
