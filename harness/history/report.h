// Report: what a store says, as the data of one HTML page: the newest run of each machine with its samples, the newest
// duet, histories with their change points, and how the layers of ledgers moved. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/history/store_index.h"
#include "harness/history/trend.h"
#include "harness/record/duet.h"
#include "harness/record/record.h"

namespace tare::history {

struct ReportRun {
    IndexedRecord indexed;
    record::Record record;
    record::Summary summary;  ///< of record::summarize
};

struct ReportDuet {
    IndexedRecord indexed;
    record::Duet duet;
    std::vector<record::CaseVerdict> verdicts;  ///< of record::decide
};

/// The ledgers of one record, for their history: no more than layers and the heaviest functions is shown of them.
struct ReportLedgers {
    IndexedRecord indexed;
    std::vector<core::Ledger> ledgers;
};

struct ReportData {
    std::string made_by;          ///< "tare 0.1.0 (44eb769)"
    double made_s = 0;            ///< Unix time
    std::string store;            ///< its folder
    std::string filter;           ///< empty: all cases
    std::vector<ReportRun> runs;  ///< of each machine those that hold its newest figures; see choose_records
    std::optional<ReportDuet> duet;
    Axis axis = Axis::kDate;
    std::vector<Trend> trends;                    ///< on that axis
    std::map<std::string, std::string> machines;  ///< by fingerprint: CPU, number of CPUs, host
    std::vector<ReportLedgers> ledgers;           ///< in the order of the axis
    std::vector<std::string> notes;               ///< what the reader must know: files and older runs left out
};

/// One JSON object, without samples. Fit for a <script> element: '<' is escaped, so that no text can end it.
[[nodiscard]] std::string report_json(const ReportData& data);

/// (operation, JSON): raw batches of the runs, by operation, so that a reader parses only what is looked at. Escaped
/// likewise.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> sample_islands(const ReportData& data);

}  // namespace tare::history
