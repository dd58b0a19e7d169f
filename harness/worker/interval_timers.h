// The process's interval timers (setitimer), stopped for a while: stepping takes thousands of times as long, and a
// timer's Python handler would run inside the stepped statement again and again.
#pragma once

#include <sys/time.h>

#include <array>

namespace tare::worker {

class IntervalTimersOff {
  public:
    IntervalTimersOff();
    ~IntervalTimersOff();
    IntervalTimersOff(const IntervalTimersOff&) = delete;
    IntervalTimersOff& operator=(const IntervalTimersOff&) = delete;

  private:
    std::array<itimerval, 3> before_{};
};

}  // namespace tare::worker
