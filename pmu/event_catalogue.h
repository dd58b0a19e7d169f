// The events that libpfm knows, with their descriptions: those of this CPU's cores and the kernel's own.
#pragma once

#include <string>
#include <vector>

#include "harness/core/error.h"
#include "harness/core/event_description.h"

namespace tare::pmu {

using core::EventAttribute;
using core::EventDescription;

/// Of PMUs that libpfm finds in this machine and that can count one thread. Errors: kEnvironment where libpfm cannot
/// start.
[[nodiscard]] core::Expected<std::vector<EventDescription>> known_events();

/// Up to `count` names of roles and events that a name which is none may have stood for, nearest first.
[[nodiscard]] std::vector<std::string> nearest_events(std::string_view name, std::size_t count);

}  // namespace tare::pmu
