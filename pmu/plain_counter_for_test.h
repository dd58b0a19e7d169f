// perf_event_open without any of our code: what this machine's counters of hardware events can do, for tests to go by.
#pragma once

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "pmu/known_work.h"

namespace tare::pmu {

/// A counter of the calling thread in user space, counting: its descriptor, or -1 with errno.
inline int open_plain_counter(std::uint64_t hardware_event) {
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_HARDWARE;
    attributes.config = hardware_event;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    return static_cast<int>(::syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0));
}

/// Whether it sees a loop of known size: a virtual PMU may answer 0 to everything, a hybrid CPU's counts on cores of
/// one kind only. Half of it is enough, as is seen where an event is counted by turns.
inline bool counts_the_loop(std::uint64_t hardware_event) {
    const int descriptor = open_plain_counter(hardware_event);
    if (descriptor < 0) return false;
    auto work = KnownWork::prepare(WorkKind::kLoop);
    if (work) work->run();
    std::uint64_t count = 0;
    const bool is_read = ::read(descriptor, &count, sizeof count) == static_cast<ssize_t>(sizeof count);
    ::close(descriptor);
    return work && is_read && count > kLoopIterations / 2;
}

}  // namespace tare::pmu
