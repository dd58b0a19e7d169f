// A counter opened with perf_event_open itself: the rival that holds counters, and the unpinned event that is
// multiplexed. What is tested does neither, so the tests must.
#pragma once

#include <linux/perf_event.h>

#include <cstdint>
#include <vector>

#include "harness/core/count_arithmetic.h"

namespace tare::pmu::emulated {

class RawEvent {
  public:
    enum class Kind {
        kMultiplexed,      ///< of the calling thread: shares the PMU with others by turns
        kPinnedForCpu,     ///< of CPU 0, whatever runs there, as the NMI watchdog's: goes before those of threads
        kPinnedForThread,  ///< of the calling thread: goes before its multiplexed ones
    };
    /// In user space, enabled at once. `group`: the leader's descriptor, or -1.
    explicit RawEvent(std::uint64_t code, Kind kind, int group = -1);
    RawEvent(RawEvent&& other) noexcept;
    RawEvent(const RawEvent&) = delete;
    RawEvent& operator=(const RawEvent&) = delete;
    RawEvent& operator=(RawEvent&&) = delete;
    ~RawEvent();

    [[nodiscard]] int descriptor() const { return descriptor_; }
    /// Value with times; empty where it is pinned and the kernel found no place for it.
    [[nodiscard]] core::GroupReading read() const;

  private:
    int descriptor_;
};

}  // namespace tare::pmu::emulated
