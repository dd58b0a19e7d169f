// The clocks of the timed region and of the harness. Nanoseconds as double; `<chrono>` and clock_gettime stay here.
#pragma once

#include <time.h>

#include <cstdint>

namespace tare::core {

[[nodiscard]] inline std::int64_t clock_ns(clockid_t clock) {
    timespec t{};
    clock_gettime(clock, &t);
    return static_cast<std::int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

/// CLOCK_MONOTONIC: a vDSO call where the kernel's clock source allows it (tsc, kvm-clock), about 20 to 40 ns.
[[nodiscard]] inline std::int64_t wall_clock_ns() {
    return clock_ns(CLOCK_MONOTONIC);
}

/// CPU time of the calling thread: always a system call, about 200 ns; kept outside the wall-clock window.
[[nodiscard]] inline std::int64_t thread_cpu_ns() {
    return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

/// Seconds since 1970, for records.
[[nodiscard]] inline double unix_time_s() {
    return static_cast<double>(clock_ns(CLOCK_REALTIME)) * 1e-9;
}

}  // namespace tare::core
