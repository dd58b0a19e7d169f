// Maps and lists by the members' names.
#include "harness/core/counter_message.h"

#include <algorithm>

namespace tare::core {

namespace {

Value signed_of(std::uint64_t bits) {
    return static_cast<std::int64_t>(bits);
}
std::uint64_t bits_of(const Value& value) {
    return static_cast<std::uint64_t>(value.as_int());
}

Value message_of(const std::optional<CounterProblem>& problem) {
    if (!problem) return {};
    return Map{{"errno", problem->errno_name}, {"reason", problem->reason}, {"hint", problem->hint}};
}

std::optional<CounterProblem> problem_of(const Value& message) {
    if (!message.is_map()) return std::nullopt;
    return CounterProblem{message["errno"].as_text(), message["reason"].as_text(), message["hint"].as_text()};
}

}  // namespace

Value message_of(const std::vector<CounterRequest>& requests) {
    List list;
    for (const CounterRequest& request : requests)
        list.emplace_back(Map{{"name", request.name},
                              {"role", name_of(request.role)},
                              {"source", name_of(request.source)},
                              {"event", request.event},
                              {"pmu", request.pmu},
                              {"type", request.type},
                              {"config", signed_of(request.config)},
                              {"config1", signed_of(request.config1)},
                              {"config2", signed_of(request.config2)},
                              {"kernel", request.kernel},
                              {"problem", message_of(request.problem)}});
    return list;
}

std::vector<CounterRequest> counter_requests(const Value& message) {
    std::vector<CounterRequest> requests;
    for (const Value& each : message.as_list()) {
        CounterRequest request{.name = each["name"].as_text(),
                               .role = counter_role_named(each["role"].as_text()).value_or(CounterRole::kOther),
                               .source = CounterSource::kHardware,
                               .event = each["event"].as_text(),
                               .pmu = each["pmu"].as_text(),
                               .type = static_cast<std::uint32_t>(each["type"].as_int()),
                               .config = bits_of(each["config"]),
                               .config1 = bits_of(each["config1"]),
                               .config2 = bits_of(each["config2"]),
                               .kernel = each["kernel"].as_bool(),
                               .problem = problem_of(each["problem"])};
        for (const CounterSource source : kAllCounterSources)
            if (name_of(source) == each["source"].as_text()) request.source = source;
        requests.push_back(std::move(request));
    }
    return requests;
}

Value message_of(const OpenCounters& counters) {
    List outcomes, passes;
    for (const CounterOutcome& outcome : counters.outcomes)
        outcomes.emplace_back(Map{{"state", name_of(outcome.state)},
                                  {"problem", message_of(outcome.problem)},
                                  {"reading_cost", outcome.reading_cost}});
    for (const std::vector<std::size_t>& pass : counters.passes) passes.emplace_back(List(pass.begin(), pass.end()));
    return Map{{"outcomes", std::move(outcomes)}, {"passes", std::move(passes)}};
}

OpenCounters open_counters(const Value& message, std::size_t requests) {
    OpenCounters counters;
    for (const Value& each : message["outcomes"].as_list()) {
        CounterOutcome outcome{.state = CounterState::kUnavailable,
                               .problem = problem_of(each["problem"]),
                               .reading_cost = each["reading_cost"].as_double()};
        for (const CounterState state : kAllCounterStates)
            if (name_of(state) == each["state"].as_text()) outcome.state = state;
        counters.outcomes.push_back(std::move(outcome));
    }
    counters.outcomes.resize(requests);
    for (const Value& each : message["passes"].as_list()) {
        std::vector<std::size_t> pass;
        for (const Value& counter : each.as_list()) pass.push_back(static_cast<std::size_t>(counter.as_int(-1)));
        const bool known = std::all_of(pass.begin(), pass.end(), [&](std::size_t i) { return i < requests; });
        if (known && !pass.empty()) counters.passes.push_back(std::move(pass));
    }
    return counters;
}

Value message_of(const BatchCounts& counts) {
    if (counts.counts.empty()) return {};
    List list{counts.enabled_ns, counts.running_ns};
    for (const RawCount count : counts.counts) list.emplace_back(count.value);
    return list;
}

BatchCounts batch_counts(const Value& message, std::size_t pass, std::size_t counters) {
    BatchCounts counts{.pass = pass, .enabled_ns = 0, .running_ns = 0, .counts = {}};
    const List& fields = message.as_list();
    if (fields.size() != counters + 2) return counts;
    counts.enabled_ns = bits_of(fields[0]);
    counts.running_ns = bits_of(fields[1]);
    for (std::size_t i = 2; i < fields.size(); ++i) counts.counts.push_back({fields[i].as_int()});
    return counts;
}

}  // namespace tare::core
