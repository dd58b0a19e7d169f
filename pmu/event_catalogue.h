// The events that libpfm knows, with their descriptions: those of this CPU and the kernel's own.
#pragma once

#include <string>
#include <vector>

#include "harness/core/error.h"

namespace tare::pmu {

struct EventAttribute {
    std::string name;  ///< a unit mask, "ALL_BRANCHES"
    std::string description;
    bool operator==(const EventAttribute&) const = default;
};

struct EventDescription {
    std::string name;  ///< "skx::BR_MISP_RETIRED"
    std::string description;
    std::string equivalent;  ///< what it is another name for; mostly empty
    std::vector<EventAttribute> masks;
    bool operator==(const EventDescription&) const = default;
};

/// Errors: kEnvironment where libpfm cannot start.
[[nodiscard]] core::Expected<std::vector<EventDescription>> known_events();

}  // namespace tare::pmu
