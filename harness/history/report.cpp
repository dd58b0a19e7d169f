// Runs and duets go in as their records' `tare` objects (results/record.schema.json): nothing is computed here.
#include "harness/history/report.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "harness/history/script_json.h"
#include "harness/history/trend_report.h"
#include "harness/record/duet_verdict_json.h"
#include "harness/record/summary_json.h"
#include "harness/stats/case_name.h"

namespace tare::history {

namespace {

using record::Json;

constexpr int kPointDigits = 6;
constexpr std::size_t kFunctionsOfHistory = 12;  // a stack of more is no longer read

Json indexed_to_json(const IndexedRecord& indexed) {
    return record::object_of({{"file", indexed.file},
                              {"kind", indexed.kind},
                              {"date_s", record::number(indexed.date_s)},
                              {"machine", indexed.machine},
                              {"machine_text", indexed.machine_text},
                              {"environment", indexed.environment},
                              {"version", indexed.version},
                              {"commit", indexed.commit},
                              {"reference", indexed.reference},
                              {"cases", indexed.cases}});
}

/// Distinct texts or rows, once each.
class DistinctItems {
  public:
    [[nodiscard]] std::size_t index_of(Json item) {
        const auto [place, fresh] = places_.try_emplace(record::compact(item), items_.size());
        if (fresh) items_.push_back(std::move(item));
        return place->second;
    }
    [[nodiscard]] Json take() { return std::move(items_); }

  private:
    Json items_ = Json::array();
    std::map<std::string, std::size_t> places_;
};

Json optional_number(const std::optional<double>& value) {
    return value ? record::rounded(*value, kPointDigits) : Json();
}

/// A point is [place, value, low, high, processes]; places are shared by all series.
Json trend_to_json(const Trend& trend, DistinctItems& places) {
    const core::SeriesKey& key = trend.series.key;
    Json json = record::object_of({{"case", key.case_name},
                                   {"operation", stats::parse_case_name(key.case_name).operation},
                                   {"machine", key.machine},
                                   {"environment", key.environment},
                                   {"metric", key.metric},
                                   {"reference", key.reference},
                                   {"unit", core::name_of(trend.series.unit)},
                                   {"at_clock_ghz", record::number(trend.series.at_clock_ghz)},
                                   {"not_searched", not_searched_text(trend)}});
    Json points = Json::array();
    for (const core::SeriesPoint& point : trend.series.points) {
        const std::size_t place = places.index_of(record::object_of({{"record", point.record.text()},
                                                                     {"date_s", record::number(point.date_s)},
                                                                     {"version", point.version.text()},
                                                                     {"commit", point.commit.text()}}));
        points.push_back(Json::array({place, record::rounded(point.value, kPointDigits), optional_number(point.low),
                                      optional_number(point.high), point.processes}));
    }
    json["points"] = std::move(points);
    Json changes = Json::array();
    for (const TrendChange& change : trend.changes)
        changes.push_back(record::object_of({{"first", change.point.first},
                                             {"begin", change.point.begin},
                                             {"end", change.point.end},
                                             {"before", record::rounded(std::exp(change.point.before), kPointDigits)},
                                             {"after", record::rounded(std::exp(change.point.after), kPointDigits)},
                                             {"change_ratio", record::rounded(change.change_ratio, kPointDigits)},
                                             {"p_value", record::rounded(change.point.p_value, 3)},
                                             {"standing", name_of(change.standing)},
                                             {"confirmation", change.confirmation}}));
    json["changes"] = std::move(changes);
    return json;
}

Json trends_to_json(const ReportData& data) {
    DistinctItems places;
    Json series = Json::array();
    for (const Trend& trend : data.trends) series.push_back(trend_to_json(trend, places));
    return record::object_of({{"axis", name_of(data.axis)},
                              {"machines", data.machines},
                              {"places", places.take()},
                              {"series", std::move(series)}});
}

struct LedgerTables {
    DistinctItems layers, functions, programs;
};

Json program_to_json(const core::ProgramKey& key) {
    return record::object_of({{"architecture", key.architecture},
                              {"cpu_features", key.cpu_features},
                              {"blas_core", key.blas_core},
                              {"python_build_id", key.python_build_id},
                              {"host", key.host}});
}

/// Of one case at one place of the axis: layers [name, instructions], functions [[name, module], instructions].
Json ledger_point(const core::Ledger& ledger, std::size_t record, LedgerTables& tables) {
    Json layers = Json::array();
    for (const core::LedgerLayer& layer : ledger.layers)
        if (layer.self.value > 0) layers.push_back(Json::array({tables.layers.index_of(layer.name), layer.self.value}));
    Json heaviest = Json::array();
    for (const core::LedgerFunction& function : ledger.functions) {
        if (heaviest.size() == kFunctionsOfHistory) break;
        if (function.module >= ledger.modules.size()) continue;
        const std::string& path = ledger.modules[function.module].path;
        heaviest.push_back(
            Json::array({tables.functions.index_of(Json::array({function.name, path.substr(path.rfind('/') + 1)})),
                         function.self.value}));
    }
    return record::object_of({{"record", record},
                              {"program", tables.programs.index_of(program_to_json(ledger.program))},
                              {"total", ledger.total.value},
                              {"lowest", ledger.total.lowest},
                              {"highest", ledger.total.highest},
                              {"layers", std::move(layers)},
                              {"functions", std::move(heaviest)}});
}

Json ledgers_to_json(const ReportData& data) {
    LedgerTables tables;
    Json records = Json::array();
    std::map<std::string, Json> cases;
    for (const ReportLedgers& each : data.ledgers) {
        for (const core::Ledger& ledger : each.ledgers)
            cases[ledger.case_name].push_back(ledger_point(ledger, records.size(), tables));
        records.push_back(indexed_to_json(each.indexed));
    }
    Json by_case = Json::object();
    for (auto& [name, points] : cases) by_case[name] = std::move(points);
    return record::object_of({{"records", std::move(records)},
                              {"layers", tables.layers.take()},
                              {"functions", tables.functions.take()},
                              {"programs", tables.programs.take()},
                              {"cases", std::move(by_case)}});
}

/// [ns of one execution, ...], the harness's loop included, as they were measured.
Json samples_of(const core::RungVisit& rung) {
    Json samples = Json::array();
    for (const core::Sample& sample : rung.samples)
        samples.push_back(sample.n == 0 ? Json() : record::rounded(sample.wall_ns / static_cast<double>(sample.n), 5));
    return samples;
}

}  // namespace

std::string report_json(const ReportData& data) {
    Json runs = Json::array();
    for (const ReportRun& run : data.runs) {
        Json json = record::object_of({{"record", indexed_to_json(run.indexed)}});
        json["context"] = record::to_json(run.record.context);
        json["tare"] = record::summary_to_json(run.record, run.summary);
        runs.push_back(std::move(json));
    }
    Json json = record::object_of({{"made_by", data.made_by},
                                   {"made_s", record::number(data.made_s)},
                                   {"store", data.store},
                                   {"filter", data.filter},
                                   {"notes", data.notes},
                                   {"runs", std::move(runs)}});
    json["duet"] = nullptr;
    if (data.duet) {
        Json duet = record::object_of({{"record", indexed_to_json(data.duet->indexed)}});
        duet["context"] = record::to_json(data.duet->duet.context);
        duet["tare"] = record::duet_summary_to_json(data.duet->duet, data.duet->verdicts);
        json["duet"] = std::move(duet);
    }
    json["trends"] = trends_to_json(data);
    json["ledgers"] = ledgers_to_json(data);
    return script_json(json);
}

std::vector<std::pair<std::string, std::string>> sample_islands(const ReportData& data) {
    std::map<std::string, Json> operations;
    std::map<std::string, const ReportRun*> newest;  // of each machine and case
    for (const ReportRun& run : data.runs)
        for (const core::Visit& visit : run.record.visits) {
            if (newest.try_emplace(run.indexed.machine + ' ' + visit.case_name, &run).first->second != &run) continue;
            for (const core::RungVisit& rung : visit.rungs)
                operations[stats::parse_case_name(visit.case_name).operation].push_back(
                    record::object_of({{"record", run.indexed.file},
                                       {"case", visit.case_name},
                                       {"rung", core::name_of(rung.kind)},
                                       {"round", visit.round},
                                       {"process", visit.process},
                                       {"unroll", rung.unroll},
                                       {"floor_ns", record::rounded(rung.floor_ns, 5)},
                                       {"samples_ns", samples_of(rung)}}));
        }
    std::vector<std::pair<std::string, std::string>> islands;
    for (const auto& [operation, rows] : operations) islands.emplace_back(operation, script_json(rows));
    return islands;
}

}  // namespace tare::history
