// Test data: a report of everything: a run with ledgers and counters, a duet, a history with a change point, ledgers of
// two releases. `word` stands in every text that a record can hold.
#pragma once

#include <string>

#include "harness/history/report.h"
#include "harness/record/sample_counters.h"
#include "harness/record/sample_duet.h"
#include "harness/record/sample_ledger.h"

namespace tare::history {

inline IndexedRecord sample_indexed(const std::string& file, const std::string& kind, double date_s,
                                    const std::string& version = "2.4.6", const std::string& machine = "1b9f2e86") {
    IndexedRecord indexed;
    indexed.file = file;
    indexed.kind = kind;
    indexed.date_s = date_s;
    indexed.machine = machine;
    indexed.machine_text = "Z, 2 CPUs";
    indexed.environment = "CPython 3.11.2, executable, 1 thread";
    indexed.version = version;
    return indexed;
}

inline Trend sample_trend(const std::string& case_name, const std::string& record) {
    Trend trend;
    trend.series.key = {"1b9f2e86", "CPython 3.11.2, executable, 1 thread", case_name, "gross", ""};
    for (int i = 0; i < 8; ++i)
        trend.series.points.push_back({record, 1'700'000'000.0 + 86'400 * i, "2." + std::to_string(i), "",
                                       i < 4 ? 300.0 : 315.0, 299.0, 316.0, 5});
    TrendChange change;
    change.point.first = 4;
    change.point.end = 8;
    change.point.before = 5.703782;
    change.point.after = 5.752573;
    change.change_ratio = 1.05;
    trend.changes = {change};
    return trend;
}

inline ReportData sample_report(const std::string& word = "") {
    ReportData data;
    data.made_by = "tare 0.1.0" + word;
    data.made_s = 1'700'000'000;
    data.store = "/store" + word;
    data.filter = word;
    data.notes = {"left out: x.json" + word};
    record::Record record = record::sample_run(2);
    for (core::Visit& visit : record.visits) visit.case_name += word;
    record.ledgers = {record::add_ledger("add[kind=array,dtype=f8,n=8]" + word)};
    record.ledgers[0].statement += word;
    record.ledgers[0].functions[0].name += word;
    record.ledgers[0].layers[0].name += word;
    record.context = core::Map{{"host_name", "probe" + word}, {"cpu_model", word}};
    record::Summary summary = record::summarize(record);
    data.runs = {{sample_indexed("new.json" + word, "run", 1'700'000'000), record, summary}};
    record::Duet duet = record::sample_duet();
    for (record::DuetCase& each : duet.cases) each.statement_b += word;
    data.duet = {sample_indexed("duet.json" + word, "duet", 1'700'000'000), duet, record::decide(duet)};
    data.axis = Axis::kVersion;
    data.trends = {sample_trend("add[kind=array,dtype=f8,n=8]" + word, "new.json" + word)};
    std::vector<core::Ledger> later = {record::add_ledger("add[kind=array,dtype=f8,n=8]", 200)};
    data.ledgers = {{sample_indexed("old.json", "run", 1'600'000'000, "2.0" + word), {record::add_ledger()}},
                    {sample_indexed("new.json", "run", 1'700'000'000, "2.4" + word), later}};
    return data;
}

}  // namespace tare::history
