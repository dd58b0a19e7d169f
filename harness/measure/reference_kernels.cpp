// Which work: loads and stores are what a neighbour on the sibling thread slows first, by 1.6 to 2 times, while a chain
// of dependent instructions runs at full speed; additions share no port with them, so that they check what the loads
// say. Instruction counts per round are what Zen 3 and Skylake execute in 2 to 3 cycles.
#include "harness/measure/reference_kernels.h"

#include <cstddef>
#include <cstdint>

#include "harness/core/clock.h"
#include "pmu/core_clock.h"

namespace tare::measure {

namespace {

#if defined(__x86_64__)

constexpr std::uint64_t kL1Rounds = 3'000;
constexpr std::uint64_t kAluRounds = 2'000;
constexpr std::uint64_t kWarmingRounds = 40;  // lines of code and data, and the predictor of the branch

alignas(4096) std::byte lines[4096];  // a page: its place in the cache is the same in every process

[[gnu::section(".text.tare_reference"), gnu::aligned(4096), gnu::noinline]] void load_and_store(std::uint64_t rounds) {
    asm volatile(
        ".p2align 6\n"
        "1:\n\t"
        "mov (%[lines]), %%rax\n\t"
        "mov 64(%[lines]), %%rcx\n\t"
        "add %%rax, %%rdx\n\t"
        "xor %%rcx, %%r8\n\t"
        "lea 1(%%r9), %%r9\n\t"
        "add %%r9, %%r10\n\t"
        "xor %%rax, %%r11\n\t"
        "mov %%rdx, 128(%[lines])\n\t"
        "dec %[rounds]\n\t"
        "jnz 1b"
        : [rounds] "+r"(rounds)
        : [lines] "r"(lines)
        : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "cc", "memory");
}

// Registers and no constants: some cores add a constant while they rename registers, in no time.
[[gnu::section(".text.tare_reference"), gnu::aligned(512), gnu::noinline]] void add(std::uint64_t rounds) {
    asm volatile(
        ".p2align 6\n"
        "1:\n\t"
        "add %[one], %%rax\n\t"
        "add %[one], %%rcx\n\t"
        "add %[one], %%rdx\n\t"
        "add %[one], %%r8\n\t"
        "add %[one], %%r9\n\t"
        "add %[one], %%r10\n\t"
        "add %[one], %%r11\n\t"
        "dec %[rounds]\n\t"
        "jnz 1b"
        : [rounds] "+r"(rounds)
        : [one] "r"(std::uint64_t{1})
        : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "cc");
}

double time_ns(void (*kernel)(std::uint64_t), std::uint64_t rounds) {
    kernel(kWarmingRounds);
    const std::int64_t before_ns = core::wall_clock_ns();
    kernel(rounds);
    return static_cast<double>(core::wall_clock_ns() - before_ns);
}

#endif

}  // namespace

core::References references_of(double chain_ns, double l1_ns, double alu_ns) {
    const double clock_ghz = pmu::kChainCycles / chain_ns;
    return {.l1_cycles = clock_ghz * l1_ns, .alu_cycles = clock_ghz * alu_ns, .clock_ghz = clock_ghz};
}

core::References time_references() {
#if defined(__x86_64__)
    const double chain_ns = pmu::time_chain_ns();
    const double l1_ns = time_ns(&load_and_store, kL1Rounds);
    return references_of(chain_ns, l1_ns, time_ns(&add, kAluRounds));
#else
    return {};
#endif
}

Awaited await_quiet(double l1_limit_cycles, std::int64_t patience_ns) {
    const std::int64_t started_ns = core::wall_clock_ns();
    Awaited awaited{.references = time_references()};
    while (l1_limit_cycles > 0 && awaited.waited_ns < patience_ns && awaited.references.l1_cycles > l1_limit_cycles) {
        awaited.references = time_references();
        awaited.waited_ns = core::wall_clock_ns() - started_ns;
    }
    return awaited;
}

}  // namespace tare::measure
