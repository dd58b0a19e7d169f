// ThreadClock: what wakes the sample handler of one thread: perf's clock, a PMU's event, or a timer of the wall clock;
// and what each signal stands for. What is noexcept is async-signal-safe and for the thread itself.
#pragma once

#include <signal.h>

#include <cstdint>

#include "harness/core/error.h"
#include "pmu/perf_clock.h"
#include "pmu/period_schedule.h"
#include "pmu/sampler.h"
#include "pmu/wall_timer.h"

namespace tare::pmu {

class ThreadClock {
  public:
    /// One signal. Not `wanted`: the thread was waiting, and only time that it runs is asked for.
    struct Tick {
        bool wanted = true;
        std::uint64_t weight_ns = 0;    ///< as StackSample's
        std::uint64_t delivery_ns = 0;  ///< from the interrupt to the handler; 0: not known
        std::uint64_t unseen_ns = 0;    ///< periods that ended in the kernel without a signal
        bool late = false;
        bool in_kernel = false;  ///< as perf tells it; a timer does not know
        bool waits = false;
    };

    constexpr ThreadClock() = default;
    /// For the calling thread, disabled. Errors: kEnvironment, with the reasons of all that was tried.
    [[nodiscard]] core::Expected<SamplingState> open(const SamplerSettings& settings);
    [[nodiscard]] bool is_open() const noexcept { return kind_ != Kind::kNone; }

    void enable() noexcept;
    void disable() noexcept;
    [[nodiscard]] bool sent(const siginfo_t& info) const noexcept;
    /// Accounts for the signal just received and sees to the next one. Takes readings of CLOCK_MONOTONIC and of the
    /// thread's CPU time.
    [[nodiscard]] Tick tick(std::int64_t now_ns, std::int64_t cpu_ns) noexcept;
    void close() noexcept;
    /// In a forked child.
    void forget() noexcept;

  private:
    enum class Kind : std::uint8_t { kNone, kClock, kEvent, kTimer };

    [[nodiscard]] int open_perf(const SamplerSettings& settings, bool event);
    [[nodiscard]] std::uint64_t delivery_ns(const PerfClock::Records& records, std::int64_t now_ns) const noexcept;
    [[nodiscard]] Tick tick_clock(std::int64_t now_ns, std::int64_t cpu_ns) noexcept;
    [[nodiscard]] Tick tick_event(std::int64_t now_ns) noexcept;
    [[nodiscard]] Tick tick_timer(std::int64_t now_ns, std::int64_t cpu_ns) noexcept;

    Kind kind_ = Kind::kNone;
    bool enabled_ = false;
    bool sees_kernel_ = true;
    bool wall_ = false;
    PerfClock perf_;
    WallTimer timer_;
    PeriodSchedule schedule_;          ///< of kClock in the thread's CPU time, of kTimer in wall time
    std::int64_t sampled_cpu_ns_ = 0;  ///< CPU time that samples of kTimer account for
    std::int64_t last_cpu_ns_ = 0;     ///< at the last signal of kTimer
    std::int64_t paused_cpu_ns_ = 0;
};

}  // namespace tare::pmu
