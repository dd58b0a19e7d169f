// What makes two records incomparable: another machine, host, or way of measuring. What the subject consists of is no
// such difference: it is what is compared. Pure.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "harness/record/duet.h"
#include "harness/record/record.h"

namespace tare::record {

struct Difference {
    std::string fact;    ///< "cpu_model", "host", "unroll", ...
    std::string before;  ///< its value in the old record
    std::string after;
    bool operator==(const Difference&) const = default;
};

/// Facts of the context that tell machines, and what is set on them, apart: each is known to move times by more than
/// the bounds that are compared. Not the host's name or the load: they change between sessions on one machine.
inline constexpr std::array kMachineFacts = {"cpu_model",
                                             "cpu_microcode",
                                             "architecture",
                                             "num_cpus",
                                             "kernel_release",
                                             "virtualization",
                                             "container",
                                             "hypervisor_vendor",
                                             "governors",
                                             "turbo",
                                             "smt",
                                             "clocksource",
                                             "transparent_hugepage",
                                             "aslr"};

/// Empty: comparable.
[[nodiscard]] std::vector<Difference> differences(const Record& before, const Record& after);
/// Also of the reference, side a, which must be the same; and work that was injected in either.
[[nodiscard]] std::vector<Difference> differences(const Duet& before, const Duet& after);

/// kUsage naming the differences, for a command that was not told to compare all the same.
[[nodiscard]] core::Error incomparable(const std::vector<Difference>& found, const std::string& option);

}  // namespace tare::record
