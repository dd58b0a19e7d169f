// What is null, or not to be believed, has its reason beside it.
#include "harness/record/counter_json.h"

#include <algorithm>

#include "harness/record/counter_columns.h"
#include "harness/record/counting_json.h"

namespace tare::record {

namespace {

/// Of the first process that counts: those that count this counter.
Json passes_of(std::size_t counter, const std::vector<core::CountingProcess>& processes) {
    Json passes = Json::array();
    for (const core::CountingProcess& process : processes) {
        for (std::size_t pass = 0; pass < process.counters.passes.size(); ++pass)
            if (std::ranges::find(process.counters.passes[pass], counter) != process.counters.passes[pass].end())
                passes.push_back(pass);
        if (!passes.empty()) break;
    }
    return passes;
}

Json case_count_to_json(const CaseCount& count) {
    Json json = object_of({{"value", nullptr}});
    if (const stats::CountEstimate* estimate = count.estimate) {
        json["value"] = rounded(estimate->net.value, kEstimateDigits);
        if (const auto& interval = estimate->net.interval) {
            json["low"] = rounded(interval->low, kSampleDigits);
            json["high"] = rounded(interval->high, kSampleDigits);
        }
        json["lowest"] = rounded(estimate->lowest, kSampleDigits);
        json["gross"] = rounded(estimate->gross, kSampleDigits);
        json["floor"] = rounded(estimate->floor, kSampleDigits);
        if (estimate->per_thousand_instructions)
            json["per_thousand_instructions"] = rounded(*estimate->per_thousand_instructions, kSampleDigits);
        if (estimate->counted_ratio != 1) json["counted_ratio"] = rounded(estimate->counted_ratio, kSampleDigits);
    }
    json["state"] = core::name_of(count.state);
    if (!count.reason.empty()) json["reason"] = count.reason;
    return json;
}

}  // namespace

void add_counters(Json& json, const Record& record, const Summary& summary) {
    if (summary.counters.empty()) return;
    const std::vector<std::string> columns = column_names(summary.counters);
    Json list = Json::array();
    for (std::size_t i = 0; i < summary.counters.size(); ++i) {
        const stats::RunCounter& counter = summary.counters[i];
        Json item = request_to_json(counter.request);
        item["column"] = columns[i];
        item["state"] = core::name_of(counter.state);
        if (counter.problem) item.update(counter_problem_to_json(*counter.problem));
        item["processes"] = counter.processes;
        if (counter.affected < counter.processes) item["processes_in_state"] = counter.affected;
        if (counter.counted_ratio != 1) item["counted_ratio"] = rounded(counter.counted_ratio, kSampleDigits);
        if (counter.reading_cost) item["reading_cost"] = rounded(*counter.reading_cost, kSampleDigits);
        item["passes"] = passes_of(i, record.counting.processes);
        list.push_back(std::move(item));
    }
    json["counters"] = std::move(list);
    json["counting_processes"] = processes_to_json(record.counting.processes);
}

void add_case_counters(Json& json, Json& reasons, const Summary& summary, const stats::CaseEstimate& estimate) {
    if (summary.counters.empty()) return;
    const std::vector<std::string> columns = column_names(summary.counters);
    Json counters = Json::object();
    const std::vector<CaseCount> counts = case_counts(summary, estimate);
    for (std::size_t i = 0; i < counts.size(); ++i) counters[columns[i]] = case_count_to_json(counts[i]);
    json["counters"] = std::move(counters);
    if (!asks_instructions_per_cycle(summary)) return;
    const core::Expected<double> ratio = instructions_per_cycle(summary, estimate);
    json["instructions_per_cycle"] = ratio ? rounded(*ratio, kSampleDigits) : Json();
    if (!ratio) reasons["instructions_per_cycle"] = ratio.error().what;
}

}  // namespace tare::record
