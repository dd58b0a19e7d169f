// CounterSet: the counters of the calling thread, opened in pinned groups, one group active at a time. Several passes
// instead of multiplexing. Opened, enabled and read on the one thread that is counted.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "harness/core/count_arithmetic.h"
#include "harness/core/counter.h"
#include "harness/core/error.h"
#include "pmu/counter_refusal.h"
#include "pmu/perf_kernel.h"

namespace tare::pmu {

class CounterSet {
  public:
    /// Opens what can be opened: groups are filled in the order of `requests` until the kernel takes no more into one
    /// (EINVAL for a sibling, or a pinned group that cannot be scheduled), then a further pass begins, with cycles and
    /// instructions in it again where they were requested and can be counted. Software counters, usage and clock join
    /// the first pass. A counter that is refused costs only itself. Never fails as a whole.
    [[nodiscard]] static CounterSet open(std::vector<core::CounterRequest> requests, PerfKernel& kernel);
    /// The same where the reasons of refusals shall speak of another machine than this one: tests.
    [[nodiscard]] static CounterSet open(std::vector<core::CounterRequest> requests, PerfKernel& kernel,
                                         const CountingSurroundings& surroundings);

    CounterSet(CounterSet&&) noexcept;
    CounterSet& operator=(CounterSet&&) noexcept;
    ~CounterSet();  ///< closes all descriptors

    /// State by request and passes. After `open` every opened counter counts as measured; self_test() judges.
    [[nodiscard]] const core::OpenCounters& counters() const;
    [[nodiscard]] const std::vector<core::CounterRequest>& requests() const;
    /// What a self-test found.
    void set_outcome(std::size_t counter, core::CounterOutcome outcome);

    /// Lets the group of one pass count, and no other. A group that was lost is tried again, also where the pass is the
    /// active one. Errors name the counters and the system's reason.
    [[nodiscard]] core::Status activate(std::size_t pass);
    void deactivate();

    /// Reads the active pass: one read(2), one getrusage and one chain
    /// (core_clock.h) where a counter of the pass needs them. Allocates nothing:
    /// the buffer is made by activate(). A group that is not readable (0 bytes: not scheduled) is remembered as such.
    void read_before() noexcept;
    void read_after() noexcept;
    /// What lies between the last two readings; `counts` is empty where one of them failed. Nothing is subtracted.
    /// Both times are 0 in a pass of which no counter is in a group.
    [[nodiscard]] core::BatchCounts difference() const;

  private:
    struct State;
    explicit CounterSet(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace tare::pmu
