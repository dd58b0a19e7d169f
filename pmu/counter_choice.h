// From what the user asks for (default, none, a list of names) to counters: libpfm resolves names, a table per CPU says
// which event is meant by a role. Nothing is opened here; a name that resolves may still not count.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/core/counter.h"
#include "harness/core/error.h"
#include "pmu/core_pmu.h"

namespace tare::pmu {

struct CounterChoice {
    std::vector<core::CounterRequest> counters;  ///< in the order asked for; names are unique
    std::vector<std::string> warnings;           ///< e.g. which cache the generic `cache-misses` means here
    bool operator==(const CounterChoice&) const = default;
};

/// `list`: "default", "none", or names divided by commas: a role ("branch-misses"), "default", an event in libpfm's
/// grammar ("perf::INSTRUCTIONS", "skx::L1D:REPLACEMENT"), or a raw code ("r412e"). `kernel`: count in the kernel, too.
/// Roles that this CPU cannot count per thread come with their problem set. Errors: kUsage for a name that neither
/// tare nor libpfm knows, with the nearest names.
[[nodiscard]] core::Expected<CounterChoice> choose_counters(std::string_view list, bool kernel, const CoreCpu& cpu);

}  // namespace tare::pmu
