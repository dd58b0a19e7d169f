// A comparison of two records: runs, by the values of their processes, or duets against one pinned reference (side a),
// by the values of their pairs. Never by batches, which share their process's layout. Pure.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "harness/record/comparison.h"
#include "harness/record/record.h"
#include "harness/record/stored_contrasts.h"
#include "harness/stats/stored_decision.h"

namespace tare::record {

struct StoredOptions {
    std::function<stats::Margins(const std::string& case_name)> margins_of;  ///< empty: the default margins
    stats::StoredRules rules;
    SessionVariances sessions;
    std::function<bool(const std::string& case_name)>
        is_shown;  ///< empty: all are; the suite that decides is the whole
    [[nodiscard]] bool shows(const std::string& case_name) const { return !is_shown || is_shown(case_name); }
};

/// Sides "old" and "new". The verdict on a case without a session variance is indicative: two sessions of unchanged
/// code differ by more than their processes show, by an amount that one pair of records cannot tell. Ledgers are
/// compared case by case, apart from the verdicts: counts are exact. A case that is `busy` in a record is inconclusive,
/// and has no part in the suite's decision: what others took of the core is no change. At one clock, as far as each
/// case's processes follow it.
[[nodiscard]] Comparison compare_runs(const Record& before, const Record& after, const StoredOptions& options);

/// Sides "old" and "new": the sides b of two duets whose sides a are the same reference. Without a session variance
/// indicative, too: it is far smaller here (about 0.8 %), but not nothing. Also indicative where a duet's page cache
/// was not redrawn.
[[nodiscard]] Comparison compare_anchored(const Duet& before, const Duet& after, const StoredOptions& options);

/// From records of successive sessions of unchanged code on one machine, oldest first; a case that fewer than
/// stats::kFewestSessions of them hold has none; where all others were `busy`, a session does not count.
[[nodiscard]] SessionVariances session_variances(std::span<const Record> sessions);
[[nodiscard]] SessionVariances session_variances(std::span<const Duet> sessions);

/// {"kind": "stored comparison", "notes", "counts", "verdicts"}
[[nodiscard]] std::string print_comparison_json(const Comparison& comparison);

}  // namespace tare::record
