// PeriodSchedule: when the next sample is due, and for how much time each stands. Arithmetic only: the clock's readings
// come from outside (the thread's CPU time, or the wall clock), the timer is somebody else's. Async-signal-safe.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tare::pmu {

/// The shortest period that perf's clock accepts (perf_swevent_start_hrtimer in kernel/events/core.c).
inline constexpr std::int64_t kLeastPeriodNs = 10'000;

/// Periods are drawn evenly from 3/4 to 5/4 of their mean, so that nothing periodic is always hit or always missed.
/// Each begins where the one before was to end, not where its handler ran: delays do not add up and the mean holds.
class PeriodSchedule {
  public:
    struct Tick {
        std::int64_t period_ns = 0;   ///< that ended when the sample was due
        std::int64_t repeats_ns = 0;  ///< whole repetitions of the timer since: nobody was called for them
        bool late = false;            ///< by more than half of the mean
    };

    constexpr PeriodSchedule() = default;
    constexpr PeriodSchedule(std::int64_t mean_ns, std::uint64_t seed)
        : mean_ns_(std::max(mean_ns, kLeastPeriodNs)), random_(seed | 1) {}

    /// The first sample is due a random part of a period after `now_ns`.
    constexpr void begin(std::int64_t now_ns) {
        due_ns_ = last_due_ns_ = now_ns;
        draw(now_ns, draw_below(mean_ns_));
    }
    /// Accounts for the one that was due, and draws the next.
    constexpr Tick tick(std::int64_t now_ns) {
        Tick tick{.period_ns = due_ns_ - last_due_ns_, .late = now_ns - due_ns_ > mean_ns_ / 2};
        if (now_ns > due_ns_) tick.repeats_ns = (now_ns - due_ns_) / armed_ns_ * armed_ns_;
        last_due_ns_ = due_ns_ += tick.repeats_ns;
        draw(now_ns, mean_ns_ - mean_ns_ / 4 + draw_below(mean_ns_ / 2));
        return tick;
    }
    /// Time that passes between the two does not count.
    constexpr void pause(std::int64_t now_ns) { paused_ns_ = now_ns; }
    constexpr void resume(std::int64_t now_ns) {
        due_ns_ += now_ns - paused_ns_;
        last_due_ns_ += now_ns - paused_ns_;
    }

    /// From the reading last given on; a timer that repeats does so with it.
    [[nodiscard]] constexpr std::int64_t armed_ns() const { return armed_ns_; }
    [[nodiscard]] constexpr std::int64_t due_ns() const { return due_ns_; }
    [[nodiscard]] constexpr std::int64_t mean_ns() const { return mean_ns_; }

  private:
    constexpr void draw(std::int64_t now_ns, std::int64_t period_ns) {
        due_ns_ = std::max(due_ns_ + period_ns, now_ns + kLeastPeriodNs);
        armed_ns_ = due_ns_ - now_ns;
    }
    /// xorshift64 (Marsaglia 2003): good enough not to move in step with a program.
    constexpr std::int64_t draw_below(std::int64_t limit) {
        random_ ^= random_ << 13;
        random_ ^= random_ >> 7;
        random_ ^= random_ << 17;
        return static_cast<std::int64_t>(random_ % static_cast<std::uint64_t>(limit));
    }

    std::int64_t mean_ns_ = kLeastPeriodNs;
    std::int64_t due_ns_ = 0;
    std::int64_t last_due_ns_ = 0;
    std::int64_t armed_ns_ = kLeastPeriodNs;
    std::int64_t paused_ns_ = 0;
    std::uint64_t random_ = 1;
};

}  // namespace tare::pmu
