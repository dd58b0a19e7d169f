// From what the kernel counts.
#include "harness/measure/preemption.h"

#include <sys/resource.h>

#include "harness/core/clock.h"

namespace tare::measure {

namespace {

// What the clocks of thread and process may differ by without another thread, since they are read one after the other.
constexpr std::int64_t kClocksApartNs = 20'000;
constexpr std::int64_t kClocksApartPart = 100;

std::int64_t nanoseconds(const timeval& time) {
    return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::int64_t>(time.tv_usec) * 1'000;
}

}  // namespace

Switches switches_now() {
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);  // cannot fail for the thread itself
    return {.waits = usage.ru_nvcsw, .preemptions = usage.ru_nivcsw};
}

CpuUse cpu_use_now() {
    rusage children{};
    getrusage(RUSAGE_CHILDREN, &children);
    return {.thread_ns = core::thread_cpu_ns(),
            .process_ns = core::clock_ns(CLOCK_PROCESS_CPUTIME_ID) + nanoseconds(children.ru_utime) +
                          nanoseconds(children.ru_stime)};
}

bool was_preempted(const Switches& before, const Switches& after) {
    return after.preemptions != before.preemptions && after.waits == before.waits;
}

bool others_computed(const CpuUse& before, const CpuUse& after) {
    const std::int64_t thread_ns = after.thread_ns - before.thread_ns;
    const std::int64_t others_ns = after.process_ns - before.process_ns - thread_ns;
    return others_ns > kClocksApartNs + thread_ns / kClocksApartPart;
}

bool held_others(const core::Sample& sample, bool others_computed) {
    constexpr double kNoOthers = 0.99;  // what a switch back and forth takes
    return !others_computed && sample.cpu_ns < kNoOthers * sample.wall_ns;
}

}  // namespace tare::measure
