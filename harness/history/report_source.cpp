// Reads the chosen records and keeps of them what the filter selects.
#include "harness/history/report_source.h"

#include "harness/history/confirmation.h"
#include "harness/history/time_series.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <regex>
#include <set>

namespace tare::history {

using core::Error;
using core::ErrorCode;
using core::Expected;
using core::fail;

namespace {

constexpr std::size_t kMostLedgerRecords = 24;  // of one history: each is read whole
constexpr std::size_t kMostRuns = 24;           // of one machine; likewise

using Selects = std::function<bool(const std::string&)>;

Expected<Selects> selection(const std::string& pattern) {
    if (pattern.empty()) return Selects([](const std::string&) { return true; });
    try {
        return Selects(
            [regex = std::regex(pattern)](const std::string& name) { return std::regex_search(name, regex); });
    } catch (const std::regex_error& e) {
        return fail(ErrorCode::kUsage, fmt::format("--filter '{}' is no regular expression: {}", pattern, e.what()),
                    "escape brackets, as in --filter '^add\\['");
    }
}

record::Record selected(record::Record record, const Selects& selects) {
    std::erase_if(record.visits, [&](const core::Visit& visit) { return !selects(visit.case_name); });
    std::erase_if(record.ledgers, [&](const core::Ledger& ledger) { return !selects(ledger.case_name); });
    std::erase_if(record.ledger_problems, [&](const core::LedgerProblem& each) { return !selects(each.case_name); });
    return record;
}

/// A duet without the cases that the filter leaves out: verdicts are of the whole suite, so they are made before.
void select(ReportDuet& duet, const Selects& selects) {
    std::erase_if(duet.verdicts, [&](const record::CaseVerdict& each) { return !selects(each.selected.name); });
    std::erase_if(duet.duet.cases, [&](const record::DuetCase& each) { return !selects(each.name); });
}

void note_left_out(ReportData& data, const std::string& file, const Error& error) {
    data.notes.push_back(fmt::format("left out: {}: {}", file, error.what));
}

const std::string& place_of(const IndexedRecord& record, Axis axis) {
    return axis == Axis::kVersion ? record.version : axis == Axis::kCommit ? record.commit : record.file;
}

Expected<std::vector<core::Series>> read_series(StoreIndex& index, const ReportRequest& request) {
    Expected<std::vector<std::string>> known = index.metrics();
    if (!known) return tl::unexpected<Error>(known.error());
    const auto has = [&](const std::string& metric) { return std::ranges::find(*known, metric) != known->end(); };
    std::vector<std::string> metrics = request.metrics;
    std::vector<core::Series> all;
    if (metrics.empty()) {
        auto times = time_series(index, {request.case_pattern, {}, request.machine});
        if (!times) return times;
        all = *std::move(times);
        metrics = {"instructions"};
        if (!all.empty() && all.front().key.metric == "gross") metrics.insert(metrics.begin(), "tare");
        std::erase_if(metrics, [&](const std::string& metric) { return !has(metric); });
    }
    for (const std::string& metric : metrics)
        if (!has(metric))
            return fail(ErrorCode::kUsage, fmt::format("--metric {}: no record of the store has it", metric),
                        known->empty() ? "" : fmt::format("metrics: {}", fmt::join(*known, ", ")));
    for (const std::string& metric : metrics) {
        auto series = index.series({request.case_pattern, metric, request.machine});
        if (!series) return tl::unexpected<Error>(series.error());
        drop_single_anchors(*series);
        std::ranges::move(*series, std::back_inserter(all));
    }
    return all;
}

/// Versions where some series has two of them: else nothing but time tells its points apart.
Axis natural_axis(const std::vector<core::Series>& series) {
    for (const core::Series& each : series)
        for (const core::SeriesPoint& point : each.points)
            if (!point.version.empty() && point.version != each.points.front().version) return Axis::kVersion;
    return Axis::kDate;
}

/// What tells which record holds the newest figure of a case.
Expected<std::vector<core::Series>> locating_series(StoreIndex& index, const ReportRequest& request) {
    std::vector<core::Series> all;
    for (const char* metric : {"gross", "instructions"}) {
        auto series = index.series({request.case_pattern, metric, request.machine});
        if (!series) return tl::unexpected<Error>(series.error());
        std::ranges::move(*series, std::back_inserter(all));
    }
    return all;
}

/// Files that hold the newest point of some case and metric of this subject.
std::set<std::string> newest_of_cases(const std::vector<core::Series>& series, const IndexedRecord& subject) {
    std::set<std::string> files;
    for (const core::Series& each : series) {
        if (each.key.machine != subject.machine || each.key.environment != subject.environment) continue;
        const core::SeriesPoint* newest = nullptr;
        for (const core::SeriesPoint& point : each.points)
            if (point.version == subject.version && (newest == nullptr || newest->date_s <= point.date_s))
                newest = &point;
        if (newest != nullptr) files.insert(newest->record);
    }
    return files;
}

/// Files that hold a point of the metric; of any, where it is empty.
std::set<std::string> records_of(const std::vector<core::Series>& series, const std::string& metric) {
    std::set<std::string> files;
    for (const core::Series& each : series)
        if (metric.empty() || each.key.metric == metric)
            for (const core::SeriesPoint& point : each.points) files.insert(point.record);
    return files;
}

/// Of `runs`, newest first, the newest of this machine and environment that holds a case of the report, and the older
/// ones of its version that hold more. One of a single expression has an environment of its own: its set-up code.
std::vector<IndexedRecord> runs_of(const std::vector<IndexedRecord>& runs, const std::string& machine,
                                   const std::string& environment, const std::vector<core::Series>& series,
                                   const std::set<std::string>& with_points) {
    std::vector<IndexedRecord> candidates;
    for (const IndexedRecord& each : runs)
        if (each.machine == machine && each.environment == environment) candidates.push_back(each);
    // Where none holds a point, all their cases failed, which the newest tells.
    const auto holds =
        std::ranges::find_if(candidates, [&](const auto& each) { return with_points.contains(each.file); });
    if (holds == candidates.end()) return {candidates.front()};
    const std::set<std::string> wanted = newest_of_cases(series, *holds);
    std::vector<IndexedRecord> chosen = {*holds};
    for (const IndexedRecord& each : candidates)
        if (each.file != holds->file && wanted.contains(each.file)) chosen.push_back(each);
    return chosen;
}

/// The records in the order that the histories show their places.
void sort_along(std::vector<IndexedRecord>& records, Axis axis) {
    core::Series order;
    for (const IndexedRecord& record : records)
        order.points.push_back({record.file, record.date_s, record.version, record.commit, 1, {}, {}, 1});
    order = on_axis(std::move(order), axis);
    std::vector<IndexedRecord> sorted;
    for (const core::SeriesPoint& point : order.points)
        sorted.push_back(*std::ranges::find(records, point.record.text(), &IndexedRecord::file));
    records = std::move(sorted);
}

}  // namespace

ReportChoice choose_records(const std::vector<IndexedRecord>& records, const std::vector<core::Series>& series,
                            Axis axis) {
    ReportChoice choice;
    std::vector<IndexedRecord> newest_first = records;
    std::ranges::stable_sort(newest_first, std::ranges::greater(), &IndexedRecord::date_s);
    for (const IndexedRecord& each : newest_first)
        if (each.kind == "duet" && !choice.duet) choice.duet = each;
    std::vector<IndexedRecord> runs;
    std::ranges::copy_if(newest_first, std::back_inserter(runs), [](const auto& each) { return each.kind == "run"; });
    if (runs.empty()) return choice;
    const std::set<std::string> with_points = records_of(series, "");
    std::map<std::string, std::vector<std::string>> environments;  // of each machine, newest first
    std::vector<std::string> machines;
    for (const IndexedRecord& each : runs) {
        if (!environments.contains(each.machine)) machines.push_back(each.machine);
        std::vector<std::string>& known = environments[each.machine];
        if (std::ranges::find(known, each.environment) == known.end()) known.push_back(each.environment);
    }
    for (const std::string& machine : machines) {
        std::vector<IndexedRecord> of_machine;
        for (const std::string& environment : environments[machine])
            std::ranges::move(runs_of(runs, machine, environment, series, with_points), std::back_inserter(of_machine));
        std::ranges::stable_sort(of_machine, std::ranges::greater(), &IndexedRecord::date_s);
        if (of_machine.size() > kMostRuns) {
            choice.runs_left_out += of_machine.size() - kMostRuns;
            of_machine.resize(kMostRuns);
        }
        std::ranges::move(of_machine, std::back_inserter(choice.runs));
    }
    const std::set<std::string> with_ledgers = records_of(series, "instructions");
    for (const std::string& environment : environments[machines.front()]) {
        std::vector<IndexedRecord> ledgers;
        std::set<std::string> places;
        for (const IndexedRecord& each : runs)
            if (each.machine == machines.front() && each.environment == environment &&
                with_ledgers.contains(each.file) && !place_of(each, axis).empty() &&
                places.insert(place_of(each, axis)).second)
                ledgers.push_back(each);
        if (ledgers.size() > choice.ledgers.size()) choice.ledgers = std::move(ledgers);
    }
    if (choice.ledgers.size() > kMostLedgerRecords) {
        choice.ledgers_left_out = choice.ledgers.size() - kMostLedgerRecords;
        choice.ledgers.resize(kMostLedgerRecords);
    }
    sort_along(choice.ledgers, axis);
    return choice;
}

Expected<ReportData> collect_report(StoreIndex& index, const record::Store& store, const ReportRequest& request) {
    Expected<Selects> selects = selection(request.case_pattern);
    if (!selects) return tl::unexpected<Error>(selects.error());
    Expected<std::vector<IndexedRecord>> records = index.records();
    if (!records) return tl::unexpected<Error>(records.error());
    if (records->empty())
        return fail(ErrorCode::kUsage, fmt::format("the store {} holds no record", store.root.string()),
                    "measure something (bench run), or name another store with --store");
    std::set<std::string> fingerprints;
    for (const IndexedRecord& each : *records) fingerprints.insert(each.machine);
    const std::string known_machines = fmt::format("{}", fmt::join(fingerprints, ", "));
    std::erase_if(*records, [&](const IndexedRecord& each) { return !each.machine.starts_with(request.machine); });
    if (records->empty())
        return fail(ErrorCode::kUsage, fmt::format("--machine {}: no record of the store is of it", request.machine),
                    "fingerprints of the store: " + known_machines);
    Expected<std::vector<core::Series>> series = read_series(index, request);
    if (!series) return tl::unexpected<Error>(series.error());

    ReportData data;
    data.store = store.root.string();
    data.filter = request.case_pattern;
    for (const StoreIndex::Refused& refused : index.refused())
        note_left_out(data, refused.file.filename().string(), refused.error);
    data.axis = request.axis.value_or(natural_axis(*series));
    data.trends = find_trends(*std::move(series), data.axis);
    confirm_from_records(store, *records, data.trends);
    Expected<std::vector<core::Series>> locating = locating_series(index, request);
    if (!locating) return tl::unexpected<Error>(locating.error());
    const ReportChoice choice = choose_records(*records, *locating, data.axis);
    if (choice.runs_left_out > 0)
        data.notes.push_back(
            fmt::format("{} older runs that hold cases of their own are not shown", choice.runs_left_out));
    if (choice.ledgers_left_out > 0)
        data.notes.push_back(fmt::format("ledgers of {} older records are not shown", choice.ledgers_left_out));
    for (const IndexedRecord& each : *records) data.machines.try_emplace(each.machine, each.machine_text);
    std::map<std::string, std::vector<core::Ledger>> ledgers_of;  // of runs that are read anyway
    for (const IndexedRecord& each : choice.runs) {
        Expected<record::Record> record = record::read_record(store.records() / each.file);
        if (!record) {
            note_left_out(data, each.file, record.error());
            continue;
        }
        record::Record kept = selected(*std::move(record), *selects);
        if (kept.visits.empty() && kept.ledgers.empty()) continue;  // none of the filter's
        ledgers_of[each.file] = kept.ledgers;
        record::Summary summary = record::summarize(kept);
        data.runs.push_back({each, std::move(kept), std::move(summary)});
    }
    if (choice.duet) {
        Expected<record::Duet> duet = record::read_duet(store.records() / choice.duet->file);
        if (duet) {
            std::vector<record::CaseVerdict> verdicts = record::decide(*duet);
            data.duet = {*choice.duet, *std::move(duet), std::move(verdicts)};
            select(*data.duet, *selects);
            if (data.duet->verdicts.empty()) data.duet.reset();
        } else {
            note_left_out(data, choice.duet->file, duet.error());
        }
    }
    for (const IndexedRecord& each : choice.ledgers) {
        if (const auto known = ledgers_of.find(each.file); known != ledgers_of.end()) {
            data.ledgers.push_back({each, known->second});
            continue;
        }
        Expected<record::Record> record = record::read_record(store.records() / each.file);
        if (record)
            data.ledgers.push_back({each, selected(*std::move(record), *selects).ledgers});
        else
            note_left_out(data, each.file, record.error());
    }
    if (data.runs.empty() && !data.duet && data.trends.empty()) {
        if (!data.notes.empty() && request.case_pattern.empty())
            return fail(ErrorCode::kData, "no record of the store can be read: " + data.notes.front());
        return fail(
            ErrorCode::kUsage,
            fmt::format("--filter '{}' matches no case of the records that a report is made of", request.case_pattern),
            "`bench list` names the cases");
    }
    return data;
}

}  // namespace tare::history
