// What a thread that only reads the clock sees of its machine: the clock's cost and step, and the time that others took
// from it. Templates over the clock, so that tests know every reading. Runs on the calling thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "harness/core/clock.h"

namespace tare::pmu {

/// Longer than a timer interrupt on an idle CPU (1 to 5 us), shorter than what a virtual machine's exit to user space,
/// an SMI or another task takes.
inline constexpr std::int64_t kGapNs = 10'000;

struct Jitter {
    std::int64_t spun_ns = 0;
    std::int64_t readings = 0;
    std::int64_t gaps = 0;        ///< between two readings, of kGapNs and more
    std::int64_t lost_ns = 0;     ///< in gaps
    std::int64_t longest_ns = 0;  ///< of the gaps
    std::int64_t step_ns = 0;  ///< the smallest difference that is not 0: the clock's resolution or cost; 0: none seen
    bool operator==(const Jitter&) const = default;
};

/// Share of the time that was lost, 0 to 1; nothing where no time passed.
[[nodiscard]] inline std::optional<double> lost_ratio(const Jitter& jitter) {
    if (jitter.spun_ns <= 0) return std::nullopt;
    return static_cast<double>(jitter.lost_ns) / static_cast<double>(jitter.spun_ns);
}

/// Reads `clock` (nanoseconds, never backwards) until `duration_ns` have passed or `stop` says so; it is asked once in
/// a thousand readings.
template <class Clock, class Stop>
[[nodiscard]] Jitter spin(const Clock& clock, std::int64_t duration_ns, Stop stop) {
    constexpr std::int64_t kUnasked = 1000;
    Jitter jitter;
    jitter.step_ns = std::numeric_limits<std::int64_t>::max();
    const std::int64_t start = clock();
    std::int64_t last = start;
    while (last - start < duration_ns && !(jitter.readings % kUnasked == 0 && stop())) {
        const std::int64_t now = clock();
        const std::int64_t step = now - last;
        last = now;
        ++jitter.readings;
        if (step > 0) jitter.step_ns = std::min(jitter.step_ns, step);
        if (step < kGapNs) continue;
        ++jitter.gaps;
        jitter.lost_ns += step;
        jitter.longest_ns = std::max(jitter.longest_ns, step);
    }
    jitter.spun_ns = last - start;
    if (jitter.step_ns == std::numeric_limits<std::int64_t>::max()) jitter.step_ns = 0;
    return jitter;
}

/// What one reading costs: of many blocks the quickest, because interrupts only add.
template <class Clock>
[[nodiscard]] double clock_cost_ns(const Clock& clock) {
    constexpr int kBlocks = 20;
    constexpr int kReadings = 500;  // 10 us at 20 ns each: most blocks see no interrupt
    std::int64_t quickest = std::numeric_limits<std::int64_t>::max();
    for (int block = 0; block < kBlocks; ++block) {
        const std::int64_t start = clock();
        std::int64_t end = start;
        for (int i = 0; i < kReadings; ++i) end = clock();
        quickest = std::min(quickest, end - start);
    }
    return static_cast<double>(quickest) / kReadings;
}

}  // namespace tare::pmu
