// The kernel's own calls: glibc's hide the number of the timer that a signal carries.
#include "pmu/wall_timer.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>

namespace tare::pmu {

namespace {

void set_time(int timer, std::int64_t at_ns) {
    const itimerspec time{.it_interval = {},
                          .it_value = {.tv_sec = at_ns / 1'000'000'000, .tv_nsec = at_ns % 1'000'000'000}};
    syscall(SYS_timer_settime, timer, TIMER_ABSTIME, &time, nullptr);
}

}  // namespace

int WallTimer::open(int signal) {
    sigevent event{};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = signal;
    event._sigev_un._tid = static_cast<pid_t>(syscall(SYS_gettid));
    int timer = -1;
    if (syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer) != 0) return errno;
    timer_ = timer;
    return 0;
}

void WallTimer::arm(std::int64_t at_ns) noexcept {
    if (is_open()) set_time(timer_, at_ns > 0 ? at_ns : 1);
}

void WallTimer::disarm() noexcept {
    if (is_open()) set_time(timer_, 0);
}

void WallTimer::close() noexcept {
    if (is_open()) syscall(SYS_timer_delete, timer_);
    timer_ = -1;
}

}  // namespace tare::pmu
