// Why the kernel refused a counter, in words that a person can act on. Pure: errno and what is known of the machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/core/counter.h"

namespace tare::pmu {

struct CountingSurroundings {
    bool has_core_pmu = false;  ///< /sys/bus/event_source/devices holds a PMU of CPU cores
    bool hypervisor = false;    ///< the machine is a guest
    bool container = false;
    std::optional<int> paranoid;                    ///< /proc/sys/kernel/perf_event_paranoid
    bool privileged = false;                        ///< effective user 0 or CAP_PERFMON
    std::optional<std::uint64_t> descriptor_limit;  ///< RLIMIT_NOFILE of this process
    bool operator==(const CountingSurroundings&) const = default;
};

/// Of this machine and process; `root` stands for / in tests.
[[nodiscard]] CountingSurroundings counting_surroundings(const std::string& root = "/");

/// `errno_value` is what perf_event_open gave; 0: the group opened, but is never scheduled.
[[nodiscard]] core::CounterProblem refusal(int errno_value, const core::CounterRequest& request,
                                           const CountingSurroundings& surroundings);

}  // namespace tare::pmu
