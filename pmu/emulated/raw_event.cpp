// perf_event_open as its manual has it, apart from pmu/linux_perf_kernel, which is under test.
#include "pmu/emulated/raw_event.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <utility>

namespace tare::pmu::emulated {

RawEvent::RawEvent(std::uint64_t code, Kind kind, int group) {
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_RAW;
    attributes.config = code;
    // Only a leader may be pinned; its members go where it goes.
    attributes.pinned = kind != Kind::kMultiplexed && group < 0 ? 1 : 0;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    const bool of_cpu = kind == Kind::kPinnedForCpu;
    const pid_t process = of_cpu ? -1 : 0;
    const int cpu = of_cpu ? 0 : -1;
    descriptor_ =
        static_cast<int>(syscall(SYS_perf_event_open, &attributes, process, cpu, group, PERF_FLAG_FD_CLOEXEC));
}

RawEvent::RawEvent(RawEvent&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

RawEvent::~RawEvent() {
    if (descriptor_ >= 0) close(descriptor_);
}

core::GroupReading RawEvent::read() const {
    std::uint64_t words[3] = {};
    if (::read(descriptor_, words, sizeof words) != sizeof words) return {};
    return {.enabled_ns = words[1], .running_ns = words[2], .values = {words[0]}};
}

}  // namespace tare::pmu::emulated
