// Where a report's data comes from: the store's index says which records matter, and only those are read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/history/report.h"

namespace tare::history {

struct ReportRequest {
    std::string case_pattern;          ///< regular expression searched in a case's name; empty: all
    std::vector<std::string> metrics;  ///< of histories; empty: gross, tare, instructions, as far as there are any
    std::optional<Axis> axis;          ///< none: versions where the records have more than one, else dates
    std::string machine;               ///< beginning of a fingerprint; empty: all
};

/// Errors: kUsage for a pattern that is none, an empty store, a filter, machine or metric that nothing matches; kData
/// and kEnvironment where no record can be read. A single record that cannot be read is left out, with a note.
[[nodiscard]] core::Expected<ReportData> collect_report(StoreIndex& index, const record::Store& store,
                                                        const ReportRequest& request);

/// The newest run of each machine, newest first; the newest duet; one record with ledgers for each place of the axis,
/// of the machine of the newest run. Pure; `with_ledgers`: names of files that hold ledgers.
struct ReportChoice {
    std::vector<IndexedRecord> runs;
    std::optional<IndexedRecord> duet;
    std::vector<IndexedRecord> ledgers;
};
[[nodiscard]] ReportChoice choose_records(const std::vector<IndexedRecord>& records,
                                          const std::vector<std::string>& with_ledgers, Axis axis);

}  // namespace tare::history
