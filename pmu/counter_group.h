// CounterGroup: counters that the kernel schedules as one, or not at all. Joined member by member, read by one read(2),
// closed as a whole. Used on the thread that is counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tl/expected.hpp>
#include <vector>

#include "harness/core/counter.h"
#include "pmu/perf_kernel.h"

namespace tare::pmu {

/// Why a counter is not in a group. An errno of 0: with it the group is never scheduled.
struct JoinRefusal {
    int errno_value = 0;
    bool because_of_group = false;  ///< it may be counted in another group, or alone
    bool operator==(const JoinRefusal&) const = default;
};

class CounterGroup {
  public:
    explicit CounterGroup(PerfKernel& kernel) : kernel_(&kernel) {}
    CounterGroup(CounterGroup&& other) noexcept;
    CounterGroup& operator=(CounterGroup&& other) noexcept;
    ~CounterGroup();

    /// Adds a counter; the first one leads. The group counts for a moment, to see whether it can be scheduled; what is
    /// refused is closed again and leaves the group as it was.
    [[nodiscard]] tl::expected<void, JoinRefusal> join(const core::CounterRequest& request);

    [[nodiscard]] std::size_t size() const { return descriptors_.size(); }
    /// 0 or an errno. Nothing to do for an empty group.
    [[nodiscard]] int enable();
    [[nodiscard]] int disable();

    /// What read(2) of a group of `size` gives: the number of values, both times, the values.
    static constexpr std::size_t kHeaderWords = 3;
    [[nodiscard]] std::size_t reading_words() const { return kHeaderWords + size(); }
    /// False: the group was not scheduled, or the kernel gave something else. `into` holds reading_words().
    [[nodiscard]] bool read(std::span<std::uint64_t> into) const noexcept;

  private:
    [[nodiscard]] bool is_scheduled();
    void close_all() noexcept;

    PerfKernel* kernel_;
    std::vector<int> descriptors_;  ///< the leader first
};

}  // namespace tare::pmu
