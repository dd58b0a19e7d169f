// Where a report's data comes from: the store's index says which records matter, and only those are read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/history/report.h"

namespace tare::history {

struct ReportRequest {
    std::string case_pattern;  ///< regular expression searched in a case's name; empty: all
    std::vector<std::string>
        metrics;  ///< of histories; empty: the time of time_series(), with gross the tare, and instructions
    std::optional<Axis> axis;  ///< none: versions where the records have more than one, else dates
    std::string machine;       ///< beginning of a fingerprint; empty: all
};

/// Errors: kUsage for a pattern that is none, an empty store, a filter, machine or metric that nothing matches; kData
/// and kEnvironment where no record can be read. A single record that cannot be read is left out, with a note.
[[nodiscard]] core::Expected<ReportData> collect_report(StoreIndex& index, const record::Store& store,
                                                        const ReportRequest& request);

/// Of each machine and environment the newest run that holds a case of the report, and the older ones of its version
/// that hold a case or a ledger which newer ones lack; machines and runs newest first. The newest duet. One run with
/// ledgers for each place of the axis, of the newest run's machine and of that environment which has most of them, in
/// the axis's order.
struct ReportChoice {
    std::vector<IndexedRecord> runs;
    std::size_t runs_left_out = 0;  ///< the oldest, where there are too many
    std::size_t ledgers_left_out = 0;
    std::optional<IndexedRecord> duet;
    std::vector<IndexedRecord> ledgers;
};
/// Pure. `series`: gross and instructions of all cases of the report.
[[nodiscard]] ReportChoice choose_records(const std::vector<IndexedRecord>& records,
                                          const std::vector<core::Series>& series, Axis axis);

}  // namespace tare::history
