// Event names to what perf_event_open takes, by libpfm. That a name has an encoding does not say that it counts here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "harness/core/error.h"

namespace tare::pmu {

/// type, config, config1 and config2 as in perf_event_attr. Nothing else of it is libpfm's to decide.
struct EventEncoding {
    std::string event;  ///< in full, without modifiers that are off: "skx::BR_MISP_RETIRED:ALL_BRANCHES"
    std::uint32_t type = 0;
    std::uint64_t config = 0;
    std::uint64_t config1 = 0;
    std::uint64_t config2 = 0;
    bool per_thread = true;  ///< false: it counts for a socket or a cluster
    bool operator==(const EventEncoding&) const = default;
};

/// libpfm, started once in this process. Errors: kEnvironment.
[[nodiscard]] core::Status start_libpfm();

/// `name` in libpfm's grammar ("perf::INSTRUCTIONS", "skx::L1D:REPLACEMENT:c=1"), or a raw code ("r412e"). `kernel`
/// only decides which modifiers of the name contradict it. Errors: kUsage for what libpfm does not know, with the
/// nearest names, and for modifiers that say who is counted or ask for samples.
[[nodiscard]] core::Expected<EventEncoding> encode(std::string_view name, bool kernel);

}  // namespace tare::pmu
