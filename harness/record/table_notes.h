// What stands beneath the table: kernels, the meaning of marks, failures, missing rungs, warnings. Pure.
#pragma once

#include <string>

#include "harness/record/number_text.h"
#include "harness/record/summary.h"

namespace tare::record {

/// Which marks the table needs.
struct TableMarks {
    bool some_one_process = false;  ///< some intervals, but not all, come from one process
    bool all_one_process = false;
    bool net_exceeds_gross = false;
    bool tare_unresolved = false;
    bool unpaired = false;
    bool failed = false;        ///< a failed case has values of other rounds
    bool gross_at_0 = false;    ///< a gross whose interval reaches 0
    bool single_value = false;  ///< a gross without an interval
    bool busy = false;          ///< cases whose estimates are of all batches, because too few were quiet
    bool moves = false;         ///< cases whose gross depends on the limit of what is quiet
};
[[nodiscard]] TableMarks marks_of(const Summary& summary);
[[nodiscard]] bool is_gross_at_0(const stats::CaseEstimate& estimate);
/// "!", "~" or nothing.
[[nodiscard]] std::string gross_mark(const stats::CaseEstimate& estimate);
/// "1p", "busy" or "moves", with a space before, or nothing: what its interval does not say.
[[nodiscard]] std::string interval_mark(const stats::CaseEstimate& estimate, const TableMarks& marks);

// Each is empty or begins with an empty line and ends with a line's end.
[[nodiscard]] std::string kernels_text(const Summary& summary);
[[nodiscard]] std::string notes_text(const Summary& summary, const TableMarks& marks, const TextStyle& style);
[[nodiscard]] std::string failures_text(const Summary& summary);
[[nodiscard]] std::string no_ledger_text(const Summary& summary);
[[nodiscard]] std::string warnings_text(const Summary& summary);
/// All of these but the kernels, as lists.
[[nodiscard]] std::string notes_markdown(const Summary& summary, const TextStyle& style);

}  // namespace tare::record
