// The list is read from left to right; a counter that is already there is not asked for twice.
#include "pmu/counter_choice.h"

#include <fmt/format.h>
#include <linux/perf_event.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "pmu/counter_request.h"
#include "pmu/default_events.h"
#include "pmu/event_encoding.h"

namespace tare::pmu {

using core::CounterRequest;
using core::CounterRole;
using core::ErrorCode;
using core::Expected;
using core::fail;

namespace {

std::string_view trimmed(std::string_view text) {
    const std::size_t from = text.find_first_not_of(" \t\n");
    return from == std::string_view::npos ? "" : text.substr(from, text.find_last_not_of(" \t\n") - from + 1);
}

/// As roles are written in JSON.
std::string normalized(std::string_view name) {
    std::string text(name);
    for (char& c : text) c = c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

std::optional<CounterRole> role_of(std::string_view name) {
    const std::optional<CounterRole> role = core::counter_role_named(normalized(name));
    return role == CounterRole::kOther ? std::nullopt : role;
}

/// An event that the CPU's own table names, perhaps by a name that libpfm is too old for.
std::optional<EventEncoding> from_table(std::string_view name, const CoreCpu& cpu) {
    for (const CounterRole role : kDefaultRoles) {
        if (!is_hardware(role)) continue;
        const RoleEvent event = role_event(role, cpu_kind(cpu));
        if (!event.problem && normalized(event.event) == normalized(name))
            return EventEncoding{.event = event.event, .type = event.type, .config = event.config};
    }
    return std::nullopt;
}

bool same_event(const CounterRequest& a, const CounterRequest& b) {
    return a.source == b.source && a.event == b.event && a.type == b.type && a.config == b.config &&
           a.config1 == b.config1 && a.config2 == b.config2;
}

/// Two events that a user named apart from roles, and that are one; or one name twice.
bool is_there(const std::vector<CounterRequest>& requests, const CounterRequest& added, bool by_role) {
    return std::any_of(requests.begin(), requests.end(), [&](const CounterRequest& each) {
        const bool user_named = each.name != core::name_of(each.role);
        return each.name == added.name || (!by_role && user_named && same_event(each, added));
    });
}

std::string cache_warning(const CounterRequest& request, const CoreCpu& cpu) {
    const std::string which = [&]() -> std::string {
        switch (cpu_kind(cpu).table) {
            case EventTable::kZen:
            case EventTable::kZen3:
            case EventTable::kZen5:  // amd_f17h_perfmon_event_map: 0x0964
                return "of the L2, code and data, on this CPU; l2_misses are the data's";
            case EventTable::kArm:  // armv8_pmuv3_perf_map: L1D_CACHE_REFILL
                return "of the L1 data cache on this CPU, as l1d_misses are";
            case EventTable::kUnknown:
                return "of another cache on each CPU, and tare does not know which one it is here";
            default:  // intel_perfmon_event_map: 0x412e
                return "of the last level on this CPU, as llc_misses are";
        }
    }();
    return fmt::format("{} counts misses {}", request.name, which);
}

bool is_generic_cache_misses(const EventEncoding& encoding) {
    return encoding.type == PERF_TYPE_HARDWARE && encoding.config == PERF_COUNT_HW_CACHE_MISSES;
}

class Builder {
  public:
    Builder(bool kernel, const CoreCpu& cpu) : kernel_(kernel), cpu_(cpu) {}

    void add(CounterRole role) {
        if (CounterRequest request = request_of(role, kernel_, cpu_); !is_there(choice_.counters, request, true))
            choice_.counters.push_back(std::move(request));
    }

    [[nodiscard]] core::Status add(std::string_view name) {
        if (const std::optional<CounterRole> role = role_of(name)) {
            add(*role);
            return {};
        }
        Expected<EventEncoding> encoding(tl::unexpect, core::Error{});
        if (std::optional<EventEncoding> known = from_table(name, cpu_))
            encoding = *std::move(known);
        else
            encoding = encode(name, kernel_);
        if (!encoding) return tl::unexpected<core::Error>(encoding.error());
        CounterRequest request = request_of(std::string(name), *encoding, kernel_, cpu_);
        if (is_there(choice_.counters, request, false)) return {};
        if (is_generic_cache_misses(*encoding)) choice_.warnings.push_back(cache_warning(request, cpu_));
        choice_.counters.push_back(std::move(request));
        return {};
    }

    /// A role belongs to one counter: to the one asked for by the role's name, else to the first that means it.
    [[nodiscard]] CounterChoice finished() && {
        for (CounterRequest& request : choice_.counters) {
            if (request.name == core::name_of(request.role)) continue;
            if (request.source == core::CounterSource::kUsage) continue;  // its role is what is read
            const bool taken =
                std::any_of(choice_.counters.begin(), choice_.counters.end(), [&](const CounterRequest& other) {
                    return &other != &request && other.role == request.role &&
                           (other.name == core::name_of(other.role) || &other < &request);
                });
            if (taken) request.role = CounterRole::kOther;
        }
        return std::move(choice_);
    }

  private:
    bool kernel_;
    const CoreCpu& cpu_;
    CounterChoice choice_;
};

}  // namespace

Expected<CounterChoice> choose_counters(std::string_view list, bool kernel, const CoreCpu& cpu) {
    constexpr std::string_view kSyntax = "give default, none, or names divided by commas; `bench pmu list` shows them";
    if (trimmed(list).empty()) return fail(ErrorCode::kUsage, "no counters are named", std::string(kSyntax));
    if (normalized(trimmed(list)) == "none") return CounterChoice{};
    Builder builder(kernel, cpu);
    for (std::size_t from = 0; from <= list.size();) {
        const std::size_t to = std::min(list.find(',', from), list.size());
        const std::string_view name = trimmed(list.substr(from, to - from));
        from = to + 1;
        if (name.empty())
            return fail(ErrorCode::kUsage, "an empty name stands in the list of counters", std::string(kSyntax));
        if (normalized(name) == "none")
            return fail(ErrorCode::kUsage, "'none' stands beside other counters", std::string(kSyntax));
        if (normalized(name) == "default") {
            for (const CounterRole role : kDefaultRoles) builder.add(role);
        } else if (core::Status added = builder.add(name); !added) {
            return tl::unexpected<core::Error>(added.error());
        }
    }
    return std::move(builder).finished();
}

}  // namespace tare::pmu
