// The order of choice: the event that was asked for; perf's clock, with the kernel, then without; a timer.
#include "pmu/thread_clock.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "harness/core/clock.h"

namespace tare::pmu {

using core::Expected;
using core::SampleClock;

namespace {

constexpr double kNsPerS = 1e9;

std::string errno_text(int error) {
    const char* name = strerrorname_np(error);
    return (name == nullptr ? std::to_string(error) : std::string(name)) + ": ";
}

bool is_permission(int error) {
    return error == EACCES || error == EPERM;
}

/// Read without a stream, which would bring the locales of libstdc++ into the sampled program.
std::string perf_event_paranoid() {
    std::array<char, 16> text{};
    const int file = open("/proc/sys/kernel/perf_event_paranoid", O_RDONLY | O_CLOEXEC);
    if (file < 0) return "unknown";
    const ssize_t n = read(file, text.data(), text.size());
    close(file);
    const std::string_view read_text(text.data(), n < 0 ? 0 : static_cast<std::size_t>(n));
    return std::string(read_text.substr(0, read_text.find('\n')));
}

std::string why_refused(int error) {
    std::string text = errno_text(error) + "perf_event_open: " + std::strerror(error);
    if (is_permission(error)) text += " (perf_event_paranoid is " + perf_event_paranoid() + ")";
    return text;
}

}  // namespace

/// 0, or an errno.
int ThreadClock::open_perf(const SamplerSettings& settings, bool event) {
    PerfClock::Settings perf{.first_period_ns = static_cast<std::uint64_t>(schedule_.armed_ns()),
                             .rate_hz = settings.rate_hz,
                             .event = event ? settings.event : std::nullopt,
                             .kernel = settings.kernel && (!event || settings.event->kernel),
                             .signal = kSampleSignal};
    int error = perf_.open(perf);
    if (is_permission(error) && perf.kernel) {
        perf.kernel = false;
        error = perf_.open(perf);
    }
    if (error == 0 && event && !perf_.has_records()) {  // which alone know how many events there were
        perf_.close();
        return ENOMEM;
    }
    sees_kernel_ = perf.kernel;
    return error;
}

Expected<SamplingState> ThreadClock::open(const SamplerSettings& settings) {
    const auto mean_ns = static_cast<std::int64_t>(kNsPerS / settings.rate_hz);
    const auto thread = static_cast<std::uint64_t>(syscall(SYS_gettid));
    schedule_ = PeriodSchedule(mean_ns, thread << 32 ^ static_cast<std::uint64_t>(core::wall_clock_ns()));
    wall_ = settings.wall;
    enabled_ = false;
    SamplingState state;
    const auto now_ns = core::thread_cpu_ns();
    schedule_.begin(now_ns);
    schedule_.pause(now_ns);
    if (!wall_ && settings.event) {
        const int error = open_perf(settings, true);
        if (error == 0) {
            kind_ = Kind::kEvent;
            state.clock = SampleClock::kPmu;
            state.sees_kernel = sees_kernel_;
            return state;
        }
        state.fallback_reason = settings.event->name + ": " + why_refused(error);
    }
    if (!wall_) {
        const int error = open_perf(settings, false);
        if (error == 0) {
            kind_ = Kind::kClock;
            state.sees_kernel = sees_kernel_;
            return state;
        }
        state.fallback_reason = why_refused(error);
    }
    if (const int error = timer_.open(kSampleSignal); error != 0)
        return core::fail(core::ErrorCode::kEnvironment,
                          "cannot sample: " + state.fallback_reason + (state.fallback_reason.empty() ? "" : "; ") +
                              errno_text(error) + "timer_create: " + std::strerror(error));
    kind_ = Kind::kTimer;
    state.clock = SampleClock::kTimer;
    state.sees_kernel = sees_kernel_ = true;
    const std::int64_t wall_ns = core::wall_clock_ns();
    schedule_.begin(wall_ns);
    schedule_.pause(wall_ns);
    last_cpu_ns_ = sampled_cpu_ns_ = paused_cpu_ns_ = core::thread_cpu_ns();
    return state;
}

// The handler runs on this very thread, so that the order of what is done here is all that has to be kept.
void ThreadClock::enable() noexcept {
    if (enabled_ || kind_ == Kind::kNone) return;
    const std::int64_t cpu_ns = core::thread_cpu_ns();
    schedule_.resume(kind_ == Kind::kTimer ? core::wall_clock_ns() : cpu_ns);
    sampled_cpu_ns_ += cpu_ns - paused_cpu_ns_;
    last_cpu_ns_ += cpu_ns - paused_cpu_ns_;
    enabled_ = true;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (kind_ == Kind::kTimer)
        timer_.arm(schedule_.due_ns());
    else
        perf_.enable();
}

void ThreadClock::disable() noexcept {
    if (!enabled_) return;
    if (kind_ == Kind::kTimer)
        timer_.disarm();
    else
        perf_.disable();  // which has delivered what was on its way when it returns
    std::atomic_signal_fence(std::memory_order_seq_cst);
    enabled_ = false;
    paused_cpu_ns_ = core::thread_cpu_ns();
    schedule_.pause(kind_ == Kind::kTimer ? core::wall_clock_ns() : paused_cpu_ns_);
}

bool ThreadClock::sent(const siginfo_t& info) const noexcept {
    if (!enabled_) return false;
    return kind_ == Kind::kTimer ? timer_.sent(info) : perf_.sent(info);
}

ThreadClock::Tick ThreadClock::tick(std::int64_t now_ns, std::int64_t cpu_ns) noexcept {
    switch (kind_) {
        case Kind::kClock:
            return tick_clock(now_ns, cpu_ns);
        case Kind::kEvent:
            return tick_event(now_ns);
        case Kind::kTimer:
            return tick_timer(now_ns, cpu_ns);
        case Kind::kNone:
            break;
    }
    return {.wanted = false};
}

/// Where it is unlikely that another thread ran meanwhile.
std::uint64_t ThreadClock::delivery_ns(const PerfClock::Records& records, std::int64_t now_ns) const noexcept {
    const std::int64_t ns = now_ns - records.last_ns;
    const bool is_plain = records.count == 1 && !records.in_kernel && ns > 0 && ns < schedule_.mean_ns() / 2;
    return is_plain ? static_cast<std::uint64_t>(ns) : 0;
}

ThreadClock::Tick ThreadClock::tick_clock(std::int64_t now_ns, std::int64_t cpu_ns) noexcept {
    const PerfClock::Records records = perf_.take_records();
    const std::int64_t repeat_ns = schedule_.armed_ns();
    const PeriodSchedule::Tick due = schedule_.tick(cpu_ns);
    perf_.set_period(static_cast<std::uint64_t>(schedule_.armed_ns()));
    // Repetitions that perf has written down were seen, one signal standing for several. With the kernel all were: what
    // is missing, the hypervisor took.
    std::int64_t seen_ns = due.repeats_ns;
    if (!sees_kernel_)
        seen_ns = records.count == 0 ? 0 : std::min(seen_ns, static_cast<std::int64_t>(records.count - 1) * repeat_ns);
    return {.weight_ns = static_cast<std::uint64_t>(due.period_ns + seen_ns),
            .delivery_ns = delivery_ns(records, now_ns),
            .unseen_ns = static_cast<std::uint64_t>(due.repeats_ns - seen_ns),
            .late = due.late && seen_ns == due.repeats_ns,
            .in_kernel = records.in_kernel};
}

ThreadClock::Tick ThreadClock::tick_event(std::int64_t now_ns) noexcept {
    const PerfClock::Records records = perf_.take_records();
    return {.wanted = records.count > 0,
            .weight_ns = records.events,
            .delivery_ns = delivery_ns(records, now_ns),
            .late = now_ns - records.last_ns > schedule_.mean_ns() / 2,
            .in_kernel = records.in_kernel};
}

ThreadClock::Tick ThreadClock::tick_timer(std::int64_t now_ns, std::int64_t cpu_ns) noexcept {
    const PeriodSchedule::Tick due = schedule_.tick(now_ns);
    timer_.arm(schedule_.due_ns());
    const std::int64_t elapsed_ns = due.period_ns + due.repeats_ns;
    const bool waits = (cpu_ns - last_cpu_ns_) * 2 < elapsed_ns;
    last_cpu_ns_ = cpu_ns;
    Tick tick{.weight_ns = static_cast<std::uint64_t>(elapsed_ns), .late = due.late, .waits = waits};
    if (wall_) return tick;
    tick.wanted = !waits;
    if (!tick.wanted) return tick;
    tick.waits = false;
    tick.weight_ns = static_cast<std::uint64_t>(cpu_ns - sampled_cpu_ns_);
    sampled_cpu_ns_ = cpu_ns;
    return tick;
}

void ThreadClock::close() noexcept {
    disable();
    perf_.close();
    timer_.close();
    kind_ = Kind::kNone;
}

void ThreadClock::forget() noexcept {
    enabled_ = false;
    perf_.forget();
    timer_.forget();
    kind_ = Kind::kNone;
}

}  // namespace tare::pmu
