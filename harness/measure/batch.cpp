// The timed region itself.
#include "harness/measure/batch.h"

#include <alloca.h>

#include "harness/core/clock.h"
#include "harness/measure/reference_kernels.h"

namespace tare::measure {

namespace {

bool run(const core::BatchEntry& entry, std::uint64_t n) {
    if (n == 0) return true;
    entry.arm(entry.context, n);
    return entry.run(entry.context);
}

[[gnu::noinline]] std::optional<core::Sample> time_here(const core::BatchEntry& entry, const BatchOrder& order) {
    if (!run(entry, order.lead_in_n)) return std::nullopt;
    if (order.counting != nullptr) order.counting->before(order.counting->context);
    const std::int64_t cpu_before_ns = core::thread_cpu_ns();
    if (!run(entry, order.warm_n)) return std::nullopt;
    entry.arm(entry.context, order.n);
    const std::int64_t before_ns = core::wall_clock_ns();
    const bool done = entry.run(entry.context);
    const std::int64_t after_ns = core::wall_clock_ns();
    const std::int64_t cpu_after_ns = core::thread_cpu_ns();
    std::int64_t wall_ns = after_ns - before_ns;
    const auto part = static_cast<double>(order.n) / static_cast<double>(order.n + order.warm_n);
    auto cpu_ns = static_cast<std::int64_t>(part * static_cast<double>(cpu_after_ns - cpu_before_ns));
    if (order.counting != nullptr) order.counting->after(order.counting->context);
    if (!done) return std::nullopt;
    if (entry.own_times != nullptr) entry.own_times(entry.context, wall_ns, cpu_ns);
    const core::References references = order.before ? slower_of(*order.before, time_references()) : core::References{};
    return core::Sample{.n = order.n,
                        .wall_ns = static_cast<double>(wall_ns),
                        .cpu_ns = static_cast<double>(cpu_ns),
                        .references = references};
}

}  // namespace

std::optional<core::Sample> time_batch(const core::BatchEntry& entry, const BatchOrder& order) {
    // The frame below lives `stack_offset_bytes` deeper: stack placement is a source of noise and is redrawn (DESIGN
    // 7).
    void* padding = alloca(order.stack_offset_bytes + 1);
    asm volatile("" : : "r"(padding) : "memory");
    return time_here(entry, order);
}

}  // namespace tare::measure
