// Walks libpfm's tables.
#include "pmu/event_catalogue.h"

#include <perfmon/pfmlib_perf_event.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "harness/core/counter.h"
#include "harness/core/edit_distance.h"
#include "pmu/event_encoding.h"

namespace tare::pmu {

namespace {

std::string text_of(const char* text) {
    return text != nullptr ? text : "";
}

std::string upper(std::string_view text) {
    std::string result(text);
    for (char& c : result) c = c == '_' ? '-' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return result;
}

EventDescription described(const char* pmu, const pfm_event_info_t& event) {
    EventDescription result{.name = std::string(pmu) + "::" + event.name,
                            .description = text_of(event.desc),
                            .equivalent = text_of(event.equiv),
                            .masks = {}};
    // Of the kernel's generic events it only repeats a name.
    if (result.description == event.name || result.description == result.equivalent) result.description.clear();
    for (int i = 0; i < event.nattrs; ++i) {
        pfm_event_attr_info_t attribute{};
        attribute.size = sizeof attribute;
        if (pfm_get_event_attr_info(event.idx, i, PFM_OS_PERF_EVENT, &attribute) != PFM_SUCCESS) continue;
        if (attribute.type == PFM_ATTR_UMASK)
            result.masks.push_back({text_of(attribute.name), text_of(attribute.desc)});
    }
    return result;
}

}  // namespace

core::Expected<std::vector<EventDescription>> known_events() {
    if (core::Status started = start_libpfm(); !started) return tl::unexpected<core::Error>(started.error());
    std::vector<EventDescription> events;
    int pmu = 0;
    pfm_for_all_pmus(pmu) {
        pfm_pmu_info_t info{};
        info.size = sizeof info;
        if (pfm_get_pmu_info(static_cast<pfm_pmu_t>(pmu), &info) != PFM_SUCCESS || info.is_present == 0 ||
            info.type == PFM_PMU_TYPE_UNCORE)
            continue;
        for (int i = info.first_event; i != -1; i = pfm_get_event_next(i)) {
            pfm_event_info_t event{};
            event.size = sizeof event;
            if (pfm_get_event_info(i, PFM_OS_PERF_EVENT, &event) == PFM_SUCCESS)
                events.push_back(described(info.name, event));
        }
    }
    return events;
}

std::vector<std::string> nearest_events(std::string_view name, std::size_t count) {
    const std::size_t colons = name.find("::");
    const bool with_pmu = colons != std::string_view::npos;
    const std::size_t masks = name.find_first_of(":.", with_pmu ? colons + 2 : 0);
    const std::string wanted = upper(name.substr(0, masks));
    std::vector<std::pair<std::size_t, std::string>> ranked;
    for (const core::CounterRoleName& role : core::kCounterRoleNames)
        if (role.role != core::CounterRole::kOther)
            ranked.emplace_back(core::edit_distance(wanted, upper(role.name)), role.name);
    for (const EventDescription& event : known_events().value_or(std::vector<EventDescription>{})) {
        const std::string_view compared =
            with_pmu ? std::string_view(event.name) : std::string_view(event.name).substr(event.name.find("::") + 2);
        ranked.emplace_back(core::edit_distance(wanted, upper(compared)), event.name);
    }
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    // Where more than a third has to be changed, it was not meant.
    std::vector<std::string> nearest;
    for (const auto& [distance, candidate] : ranked)
        if (nearest.size() < count && distance <= wanted.size() / 3) nearest.push_back(candidate);
    return nearest;
}

}  // namespace tare::pmu
