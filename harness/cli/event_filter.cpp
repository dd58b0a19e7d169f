// std::regex over a few hundred events with their masks.
#include "harness/cli/event_filter.h"

#include <fmt/format.h>

#include <regex>
#include <utility>

namespace tare::cli {

core::Expected<std::vector<core::EventDescription>> matching_events(const std::vector<core::EventDescription>& events,
                                                                    const std::string& pattern) {
    if (pattern.empty()) return events;
    std::vector<core::EventDescription> matching;
    try {
        const std::regex expression(pattern, std::regex::ECMAScript | std::regex::icase);
        const auto found = [&](const std::string& text) { return std::regex_search(text, expression); };
        for (const core::EventDescription& event : events) {
            if (found(event.name) || found(event.description) || found(event.equivalent)) {
                matching.push_back(event);
                continue;
            }
            core::EventDescription some = event;
            std::erase_if(some.masks, [&](const core::EventAttribute& mask) {
                return !found(event.name + ':' + mask.name) && !found(mask.description);
            });
            if (!some.masks.empty()) matching.push_back(std::move(some));
        }
    } catch (const std::regex_error& e) {
        return core::fail(core::ErrorCode::kUsage, fmt::format("'{}' is no regular expression: {}", pattern, e.what()),
                          "escape brackets and the like with a backslash");
    }
    return matching;
}

}  // namespace tare::cli
