// Countable events as text: for `bench pmu list`. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/core/event_description.h"

namespace tare::record {

/// One entry an event, its masks indented below it, descriptions wrapped at `width` (0: no limit); the last line
/// counts.
[[nodiscard]] std::string print_event_table(const std::vector<core::EventDescription>& events, std::size_t width);
/// {"events": [{"name", "description", "equivalent", "masks": [{"name", "description"}]}]}
[[nodiscard]] std::string print_event_json(const std::vector<core::EventDescription>& events);
/// event,mask,description,equivalent
[[nodiscard]] std::string print_event_csv(const std::vector<core::EventDescription>& events);
[[nodiscard]] std::string print_event_markdown(const std::vector<core::EventDescription>& events);

}  // namespace tare::record
