// Requests, what workers made of them, and counts: to JSON and back.
#include "harness/record/counting_json.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/record/visit_json.h"

namespace tare::record {

namespace {

using core::CounterState;
using core::ErrorCode;

core::CounterProblem problem_from_json(const Json& json) {
    return {text_or(member(json, "errno"), ""), text_or(member(json, "reason"), ""), text_or(member(json, "hint"), "")};
}

std::optional<CounterState> state_named(std::string_view name) {
    for (const CounterState state : core::kAllCounterStates)
        if (core::name_of(state) == name) return state;
    return std::nullopt;
}

core::CounterSource source_named(std::string_view name) {
    for (const core::CounterSource source : core::kAllCounterSources)
        if (core::name_of(source) == name) return source;
    return core::CounterSource::kHardware;
}

Json outcome_to_json(const core::CounterOutcome& outcome) {
    Json json = object_of({{"state", core::name_of(outcome.state)}});
    if (outcome.reading_cost != 0) json["reading_cost"] = number(outcome.reading_cost);
    if (outcome.problem) json["problem"] = counter_problem_to_json(*outcome.problem);
    return json;
}

Json counters_to_json(const core::OpenCounters& counters) {
    Json outcomes = Json::array();
    for (const core::CounterOutcome& outcome : counters.outcomes) outcomes.push_back(outcome_to_json(outcome));
    return object_of({{"outcomes", std::move(outcomes)}, {"passes", counters.passes}});
}

core::Expected<core::OpenCounters> counters_from_json(const Json& json, std::size_t requests) {
    core::OpenCounters counters;
    const Json& outcomes = member(json, "outcomes");
    const Json& passes = member(json, "passes");
    if (!outcomes.is_array() || outcomes.size() != requests || !passes.is_array())
        return core::fail(ErrorCode::kData, "a process does not tell what it made of each counter");
    for (const Json& item : outcomes) {
        core::CounterOutcome outcome;
        const auto state = state_named(text_or(member(item, "state"), ""));
        if (!state) return core::fail(ErrorCode::kData, "a counter's state is unknown");
        outcome.state = *state;
        outcome.reading_cost = number_or(member(item, "reading_cost"), 0);
        if (member(item, "problem").is_object()) outcome.problem = problem_from_json(member(item, "problem"));
        counters.outcomes.push_back(std::move(outcome));
    }
    for (const Json& pass : passes) {
        if (!pass.is_array()) return core::fail(ErrorCode::kData, "a pass is no list of counters");
        std::vector<std::size_t>& indices = counters.passes.emplace_back();
        for (const Json& item : pass) {
            indices.push_back(unsigned_or(item, requests));
            if (indices.back() >= requests) return core::fail(ErrorCode::kData, "a pass counts what was not asked for");
        }
    }
    return counters;
}

}  // namespace

Json counter_problem_to_json(const core::CounterProblem& problem) {
    Json json = Json::object();
    if (!problem.errno_name.empty()) json["errno"] = problem.errno_name;
    json["reason"] = problem.reason;
    if (!problem.hint.empty()) json["hint"] = problem.hint;
    return json;
}

Json request_to_json(const core::CounterRequest& request) {
    Json json = object_of({{"name", request.name},
                           {"role", core::name_of(request.role)},
                           {"source", core::name_of(request.source)},
                           {"event", request.event},
                           {"pmu", request.pmu},
                           {"kernel", request.kernel},
                           {"type", request.type},
                           {"config", request.config}});
    if (request.config1 != 0) json["config1"] = request.config1;
    if (request.config2 != 0) json["config2"] = request.config2;
    if (request.problem) json["problem"] = counter_problem_to_json(*request.problem);
    return json;
}

Json requests_to_json(const std::vector<core::CounterRequest>& requests) {
    Json list = Json::array();
    for (const core::CounterRequest& request : requests) list.push_back(request_to_json(request));
    return list;
}

std::vector<core::CounterRequest> requests_from_json(const Json& json) {
    std::vector<core::CounterRequest> requests;
    if (!json.is_array()) return requests;
    for (const Json& item : json) {
        core::CounterRequest request;
        request.name = text_or(member(item, "name"), "");
        const auto role = core::counter_role_named(text_or(member(item, "role"), ""));
        request.role = role.value_or(core::CounterRole::kOther);
        request.source = source_named(text_or(member(item, "source"), ""));
        request.event = text_or(member(item, "event"), "");
        request.pmu = text_or(member(item, "pmu"), "");
        request.kernel = bool_or(member(item, "kernel"), false);
        request.type = static_cast<std::uint32_t>(unsigned_or(member(item, "type"), 0));
        request.config = unsigned_or(member(item, "config"), 0);
        request.config1 = unsigned_or(member(item, "config1"), 0);
        request.config2 = unsigned_or(member(item, "config2"), 0);
        if (member(item, "problem").is_object()) request.problem = problem_from_json(member(item, "problem"));
        requests.push_back(std::move(request));
    }
    return requests;
}

Json process_to_json(const core::CountingProcess& process) {
    Json json = object_of({{"process", process.process}});
    json.update(counters_to_json(process.counters));
    return json;
}

core::Expected<core::CountingProcess> process_from_json(const Json& json, std::size_t requests) {
    core::Expected<core::OpenCounters> counters = counters_from_json(json, requests);
    if (!counters) return tl::unexpected(counters.error());
    return core::CountingProcess{int_or(member(json, "process"), 0), *std::move(counters)};
}

Json processes_to_json(const std::vector<core::CountingProcess>& processes) {
    std::vector<const core::CountingProcess*> firsts;
    Json list = Json::array();
    for (const core::CountingProcess& process : processes) {
        const auto same = std::ranges::find_if(
            firsts, [&](const core::CountingProcess* first) { return first->counters == process.counters; });
        if (same != firsts.end()) {
            list[static_cast<std::size_t>(same - firsts.begin())]["processes"].push_back(process.process);
            continue;
        }
        firsts.push_back(&process);
        Json json = object_of({{"processes", Json::array({process.process})}});
        json.update(counters_to_json(process.counters));
        list.push_back(std::move(json));
    }
    return list;
}

core::Expected<std::vector<core::CountingProcess>> processes_from_json(const Json& json, std::size_t requests) {
    std::vector<core::CountingProcess> processes;
    if (!json.is_array()) return processes;
    for (const Json& item : json) {
        const core::Expected<core::OpenCounters> counters = counters_from_json(item, requests);
        if (!counters) return tl::unexpected(counters.error());
        if (!member(item, "processes").is_array()) return core::fail(ErrorCode::kData, "outcomes of no process");
        for (const Json& process : member(item, "processes")) processes.push_back({int_or(process, 0), *counters});
    }
    std::ranges::stable_sort(processes, {}, &core::CountingProcess::process);
    return processes;
}

Json counts_to_json(const std::vector<core::RungCount>& counts) {
    Json list = Json::array();
    for (const core::RungCount& count : counts) {
        Json item = Json::array({count.counter, number(count.gross), number(count.floor), number(count.net),
                                 number(count.lowest_net), number(count.counted_ratio), count.batches});
        if (count.instructions) item.push_back(number(*count.instructions));
        list.push_back(std::move(item));
    }
    return list;
}

core::Expected<std::vector<core::RungCount>> counts_from_json(const Json& json) {
    std::vector<core::RungCount> counts;
    if (json.is_null()) return counts;
    if (!json.is_array()) return core::fail(ErrorCode::kData, "counts are no list");
    for (const Json& item : json) {
        if (!item.is_array() || item.size() < 7 || item.size() > 8 || !item[0].is_number_unsigned())
            return core::fail(ErrorCode::kData, "a count is not [counter, gross, floor, ...]");
        core::RungCount count{
            item[0].get<std::size_t>(), nan_if_null(item[1]), nan_if_null(item[2]), nan_if_null(item[3]),
            nan_if_null(item[4]),       nan_if_null(item[5]), std::nullopt,         int_or(item[6], 0)};
        if (item.size() == 8) count.instructions = nan_if_null(item[7]);
        counts.push_back(count);
    }
    return counts;
}

}  // namespace tare::record
