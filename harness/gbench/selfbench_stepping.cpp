// What stepping costs an instruction: the trap itself, with a handler that only returns, and with the one that records.
#include <benchmark/benchmark.h>
#include <signal.h>

#include "harness/core/clock.h"
#include "harness/gbench/selfbench.h"
#include "pmu/stepper.h"

namespace tare::gbench {

namespace {

#if defined(__x86_64__)

constexpr int kInstructions = 1000;

[[gnu::noinline]] void execute_instructions() {
    asm volatile(".rept %c0\n\tnop\n\t.endr" ::"i"(kInstructions));
}

[[gnu::noinline]] void execute_trapped() {
    asm volatile(
        "lea -128(%%rsp), %%rsp\n\t"
        "pushfq\n\t"
        "orq $0x100, (%%rsp)\n\t"
        "popfq\n\t"
        ".rept %c0\n\tnop\n\t.endr\n\t"
        "pushfq\n\t"
        "andq $~0x100, (%%rsp)\n\t"
        "popfq\n\t"
        "lea 128(%%rsp), %%rsp" ::"i"(kInstructions)
        : "memory", "cc");
}

/// Times `stretch`, which executes kInstructions with the trap flag set.
template <class F>
void time_instructions(benchmark::State& state, F&& stretch) {
    double total_ns = 0;
    for (auto unused : state) {
        const std::int64_t before_ns = core::wall_clock_ns();
        stretch();
        const auto elapsed_ns = static_cast<double>(core::wall_clock_ns() - before_ns);
        state.SetIterationTime(elapsed_ns * kSecondsPerNanosecond);
        total_ns += elapsed_ns;
    }
    state.counters["ns_per_instruction"] = total_ns / static_cast<double>(state.iterations()) / kInstructions;
}

void bare_trap(benchmark::State& state) {
    struct sigaction before {};
    struct sigaction nothing {};
    nothing.sa_handler = [](int) {};
    sigaction(SIGTRAP, &nothing, &before);
    time_instructions(state, execute_trapped);
    sigaction(SIGTRAP, &before, nullptr);
}

void recorded_step(benchmark::State& state) {
    core::Expected<pmu::Stepper> stepper = pmu::Stepper::open(std::size_t{2} * kInstructions);
    if (!stepper) return state.SkipWithError(stepper.error().what.c_str());
    time_instructions(state, [&] {
        stepper->begin();
        execute_instructions();
        stepper->end();
    });
    if (stepper->take().steps.size() < kInstructions) state.SkipWithError("not every instruction was recorded");
}

#endif

}  // namespace

void register_stepping_benchmarks() {
#if defined(__x86_64__)
    benchmark::RegisterBenchmark("stepping/bare_trap", bare_trap)->UseManualTime()->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark("stepping/step", recorded_step)->UseManualTime()->Unit(benchmark::kMicrosecond);
#endif
}

}  // namespace tare::gbench
