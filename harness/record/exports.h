// The numbers of a run for other programs: CSV, Markdown, JSON. What the table shows they hold, under the names of
// DESIGN.md section 2. Pure.
#pragma once

#include <string>

#include "harness/record/record.h"
#include "harness/record/text_table.h"

namespace tare::record {

/// RFC 4180, one line a case: case, operation, each quantity with its low and high, interval_basis, processes,
/// net_exceeds_gross, error; where there are ledgers also instructions, instructions_lowest, instructions_highest;
/// where there are counters those of counter_exports.h. Missing values are empty.
[[nodiscard]] std::string print_csv(const Summary& summary);

/// A table in GitHub's Markdown with values as in the text table, one of the counters, and one of the size fits.
[[nodiscard]] std::string print_markdown(const Summary& summary, const TableOptions& options);

/// One JSON object: the record's `tare` object, without samples.
[[nodiscard]] std::string print_json(const Record& record, const Summary& summary);

}  // namespace tare::record
