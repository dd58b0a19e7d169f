// Change points and duets: which pairs of releases or commits a duet has to compare, and what one that was made says.
// Reads records; measures nothing.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "harness/history/store_index.h"
#include "harness/history/trend.h"
#include "harness/record/duet.h"
#include "harness/record/store.h"

namespace tare::history {

/// The last version, or commit, before a change and the first one after it.
struct ChangeEnds {
    std::string before;
    std::string after;
    bool are_commits = false;
    bool operator==(const ChangeEnds&) const = default;
    bool operator<(const ChangeEnds& other) const {
        return std::tie(before, after, are_commits) < std::tie(other.before, other.after, other.are_commits);
    }
};

/// Commits where both are known and `commits` are preferred or a version is no release (2.5.0.dev0+git...: no index has
/// it), and where both points have the same version; else versions. Nothing known of a side: empty texts.
[[nodiscard]] ChangeEnds ends_of(const Trend& trend, const TrendChange& change, bool commits);

/// Whether a duet was measured on the series' machine and both its sides in the series' environment: that they differ
/// in NumPy alone, and that nothing was injected.
[[nodiscard]] bool is_in_surroundings(const IndexedRecord& duet, const core::SeriesKey& key);

/// Confirmed where the verdict is a change in the proposed direction; smaller where it is `same`, but the interval lies
/// on that side of 0 and not within the tolerance; else refuted. Inconclusive: not tried, with the words.
void judge(TrendChange& change, const record::CaseVerdict& verdict);

/// Judges every change whose ends, commits or else releases, were compared by a duet of `records` in the trend's
/// surroundings, the latest one where there are several. Damaged records are passed over. `package`: whose
/// versions the trends go by; empty: as the records say.
void confirm_from_records(const record::Store& store, const std::vector<IndexedRecord>& records,
                          std::vector<Trend>& trends, const std::string& package = {});

}  // namespace tare::history
