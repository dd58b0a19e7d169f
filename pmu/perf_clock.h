// PerfClock: a perf event of one thread that signals it each time a period of the event has passed, and a page of
// records that tells where it was then, also in the kernel. What is noexcept is async-signal-safe.
#pragma once

#include <signal.h>

#include <cstdint>
#include <optional>

#include "harness/core/counter.h"

namespace tare::pmu {

class PerfClock {
  public:
    struct Settings {
        std::uint64_t first_period_ns = 0;          ///< of the kernel's clock
        double rate_hz = 0;                         ///< of an event: the kernel chooses its periods
        std::optional<core::CounterRequest> event;  ///< instead of the clock
        bool kernel = true;
        int signal = 0;
    };

    constexpr PerfClock() = default;
    /// For the calling thread, disabled. 0, or the errno of what was refused.
    [[nodiscard]] int open(const Settings& settings);
    [[nodiscard]] bool is_open() const noexcept { return descriptor_ >= 0 || page_ != nullptr; }

    void enable() noexcept;
    void disable() noexcept;
    /// The next signal comes after so much, later ones at the same distance.
    void set_period(std::uint64_t ns) noexcept;
    [[nodiscard]] bool sent(const siginfo_t& info) const noexcept { return info.si_fd == descriptor_number_; }

    /// What the kernel has written down since the last call.
    struct Records {
        std::uint64_t count = 0;   ///< periods that ended; 0 where there is no page
        std::uint64_t events = 0;  ///< the sum of their lengths
        std::int64_t last_ns = 0;  ///< CLOCK_MONOTONIC at the last
        bool in_kernel = false;    ///< at the last
    };
    [[nodiscard]] Records take_records() noexcept;
    /// Where not (locked memory is limited), `Records` are empty.
    [[nodiscard]] bool has_records() const noexcept { return page_ != nullptr; }

    void close() noexcept;
    /// In a forked child: the descriptor is a copy of the parent's, the page was not inherited.
    void forget() noexcept;
    /// In a forked child: the parent's descriptors, those of its other threads, too.
    static void close_inherited() noexcept;

  private:
    int descriptor_ = -1;         ///< -1 also where the program has closed it
    int descriptor_number_ = -1;  ///< that signals carry
    void* page_ = nullptr;        ///< perf_event_mmap_page and a page of records
};

}  // namespace tare::pmu
