// StoredContrast: what two records say together of a case: new / old, at one clock. Pure.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/record/stored_values.h"
#include "harness/stats/contrast.h"
#include "harness/stats/welch.h"

namespace tare::record {

/// By case; see stats::SessionVariance.
using SessionVariances = std::map<std::string, stats::SessionVariance, std::less<>>;

/// A case of either record; null where the record lacks it.
struct Match {
    const StoredValues* before = nullptr;
    const StoredValues* after = nullptr;

    [[nodiscard]] const std::string& name() const { return before != nullptr ? before->name : after->name; }
};

/// In the order of the old record; cases that only the new one has follow.
[[nodiscard]] std::vector<Match> matches_of(const std::vector<StoredValues>& before,
                                            const std::vector<StoredValues>& after);

struct StoredContrast {
    std::optional<stats::Contrast> contrast;  ///< nothing: a side lacks the case, or has a single value
    double clock_log_ratio = 0;               ///< ln(new / old) of the core's clock; 0: unknown
    double clock_standard_error = 0;          ///< see stats::StoredCase
    double wholly_log_shift = 0;              ///< likewise
    /// Of runs, at the clock that the old record says its times at, or else ran at; where the clocks are known, and
    /// near each other.
    std::optional<double> old_ns, new_ns;
    bool clocks_are_far = false;
};

/// One for each match. Processes are put at one clock as far as the case follows it (stats/clock_slope.h), but for
/// clocks that are not near (core/references.h), and compared by their ranks where there are enough of them
/// (stats/shift.h); else by Student's t, the variance of each case drawn towards what is usual in its record. What the
/// floors of the two are off by is part of the standard error; where sessions differ by a known variance, of that.
[[nodiscard]] std::vector<StoredContrast> contrasts_of_processes(std::span<const Match> matches,
                                                                 const SessionVariances& sessions);
/// By Student's t.
[[nodiscard]] std::vector<StoredContrast> contrasts_of_pairs(std::span<const Match> matches,
                                                             const SessionVariances& sessions);

/// From the values of successive sessions of unchanged code, oldest first; of processes each at the sessions' mean
/// clock, which is followed wholly. A case that fewer than stats::kFewestSessions of them hold has none; a session
/// where it is `busy` or failed does not count.
[[nodiscard]] SessionVariances session_variances(std::span<const std::vector<StoredValues>> sessions);

}  // namespace tare::record
