// setitimer tells what was left of the timer that it replaces.
#include "harness/worker/interval_timers.h"

namespace tare::worker {

namespace {

constexpr std::array kTimers{ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF};

}  // namespace

IntervalTimersOff::IntervalTimersOff() {
    const itimerval off{};
    for (std::size_t i = 0; i < kTimers.size(); ++i) setitimer(kTimers[i], &off, &before_[i]);
}

IntervalTimersOff::~IntervalTimersOff() {
    for (std::size_t i = 0; i < kTimers.size(); ++i)
        if (timerisset(&before_[i].it_value)) setitimer(kTimers[i], &before_[i], nullptr);
}

}  // namespace tare::worker
