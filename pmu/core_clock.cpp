// Two lines of code and no data, so that a chain beside a batch takes nothing of the caches from it.
#include "pmu/core_clock.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "harness/core/clock.h"

namespace tare::pmu {

namespace {

constexpr std::uint64_t kRounds = 250;  // of 24 cycles
constexpr double kMostFixed = 0.75;     // some clocks take 2 us to be read (HPET), as long as the chain itself

[[gnu::aligned(64), gnu::noinline]] void run_chain(std::uint64_t rounds) noexcept {
#if defined(__x86_64__)
    std::uint32_t product = 1;
    asm volatile(
        ".p2align 6\n"
        "1:\n\t"
        ".rept 8\n\t"
        "imul %[product], %[product]\n\t"
        ".endr\n\t"
        "dec %[rounds]\n\t"
        "jnz 1b"
        : [rounds] "+r"(rounds), [product] "+r"(product)
        :
        : "cc");
#else
    std::uint64_t sum = 1;
    asm volatile(
        ".p2align 6\n"
        "1:\n\t"
        ".rept 24\n\t"
        "add %[sum], %[sum], %[one]\n\t"
        ".endr\n\t"
        "subs %[rounds], %[rounds], #1\n\t"
        "b.ne 1b"
        : [rounds] "+r"(rounds), [sum] "+r"(sum)
        : [one] "r"(std::uint64_t{1})
        : "cc");
#endif
}

double time_rounds_ns(std::uint64_t rounds) noexcept {
    const std::int64_t before_ns = core::wall_clock_ns();
    run_chain(rounds);
    return static_cast<double>(core::wall_clock_ns() - before_ns);
}

/// What does not grow with the chain: reading the clock, and the branch that ends the loop.
double find_fixed_ns() noexcept {
    constexpr int kTries = 200;  // 0.6 ms; the fastest of them met no interrupt
    double half_ns = std::numeric_limits<double>::infinity(), whole_ns = half_ns;
    for (int i = 0; i < kTries; ++i) {
        half_ns = std::min(half_ns, time_rounds_ns(kRounds / 2));
        whole_ns = std::min(whole_ns, time_rounds_ns(kRounds));
    }
    return std::clamp(2 * half_ns - whole_ns, 0.0, kMostFixed * whole_ns);
}

}  // namespace

double time_chain_ns() noexcept {
    static const double fixed_ns = find_fixed_ns();
    return time_rounds_ns(kRounds) - fixed_ns;
}

}  // namespace tare::pmu
