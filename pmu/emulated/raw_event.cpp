// perf_event_open as its manual has it, apart from pmu/linux_perf_kernel, which is under test.
#include "pmu/emulated/raw_event.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <utility>

namespace tare::pmu::emulated {

RawEvent::RawEvent(std::uint64_t code, bool pinned, int group) {
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_RAW;
    attributes.config = code;
    attributes.pinned = pinned ? 1 : 0;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    descriptor_ = static_cast<int>(syscall(SYS_perf_event_open, &attributes, 0, -1, group, PERF_FLAG_FD_CLOEXEC));
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
