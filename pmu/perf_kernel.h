// PerfKernel: the few system calls and clocks behind counters, as an interface, so that everything above them is tested
// with a kernel that refuses, multiplexes and lies. linux_kernel() is the real one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tl/expected.hpp>

#include "harness/core/counter.h"

namespace tare::pmu {

/// Of the calling thread, from getrusage(RUSAGE_THREAD).
struct ThreadUsage {
    std::uint64_t minor_faults = 0;
    std::uint64_t major_faults = 0;
    std::uint64_t voluntary_switches = 0;
    std::uint64_t involuntary_switches = 0;
    bool operator==(const ThreadUsage&) const = default;
};

class PerfKernel {
  public:
    PerfKernel() = default;
    PerfKernel(const PerfKernel&) = delete;
    PerfKernel& operator=(const PerfKernel&) = delete;
    virtual ~PerfKernel() = default;

    /// A counter of the calling thread on any CPU; not inherited. A leader (group_descriptor -1) is pinned and starts
    /// disabled; reading it gives the group with its times. The error is an errno.
    [[nodiscard]] virtual tl::expected<int, int> open(const core::CounterRequest& request, int group_descriptor) = 0;
    /// 0 or an errno.
    [[nodiscard]] virtual int enable_group(int leader) = 0;
    [[nodiscard]] virtual int disable_group(int leader) = 0;
    /// Bytes read (0: a pinned group that could not be scheduled), or an errno below 0.
    [[nodiscard]] virtual std::ptrdiff_t read(int leader, std::span<std::uint64_t> into) noexcept = 0;
    virtual void close(int descriptor) noexcept = 0;
    [[nodiscard]] virtual ThreadUsage usage() noexcept = 0;
    /// As time_chain_ns (core_clock.h), and the clock that it goes by.
    [[nodiscard]] virtual double chain_ns() noexcept = 0;
    [[nodiscard]] virtual std::int64_t now_ns() noexcept = 0;
};

[[nodiscard]] PerfKernel& linux_kernel();

}  // namespace tare::pmu
