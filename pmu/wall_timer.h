// WallTimer: a timer of CLOCK_MONOTONIC that signals one thread, once each time it is armed. Timers of CPU time would
// be no use: the kernel looks at them HZ times a second. What is noexcept is async-signal-safe.
#pragma once

#include <signal.h>

#include <cstdint>

namespace tare::pmu {

class WallTimer {
  public:
    constexpr WallTimer() = default;
    /// For the calling thread. 0, or the errno.
    [[nodiscard]] int open(int signal);
    [[nodiscard]] bool is_open() const noexcept { return timer_ >= 0; }
    /// At a reading of CLOCK_MONOTONIC, at once where that has passed.
    void arm(std::int64_t at_ns) noexcept;
    void disarm() noexcept;
    [[nodiscard]] bool sent(const siginfo_t& info) const noexcept {
        return info.si_code == SI_TIMER && info.si_timerid == timer_;
    }
    void close() noexcept;
    /// In a forked child, which inherits no timers.
    void forget() noexcept { timer_ = -1; }

  private:
    int timer_ = -1;
};

}  // namespace tare::pmu
