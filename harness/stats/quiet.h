// Which batches of a case are quiet: nobody else used the core, as their references say (core/references.h). What is
// selected never depends on the batch's own time. Pure.
#pragma once

#include <array>
#include <vector>

#include "harness/core/references.h"
#include "harness/core/visit.h"

namespace tare::stats {

/// An estimate should not depend on the limit: it is made at all of these.
inline constexpr std::array kQuietLimits = {0.20, 0.10, core::kQuietLimit, 0.03};

/// A process with fewer quiet batches of one of its rungs says nothing; one that has no more of them altogether says
/// something if all of them are quiet.
inline constexpr std::size_t kFewestQuietBatches = 3;

/// With fewer quiet processes, where there were more, nothing is known of how processes differ.
inline constexpr std::size_t kFewestQuietProcesses = 2;

/// Whether a process says something: enough batches of each of its rungs are quiet.
[[nodiscard]] bool is_quiet(const core::Visit& visit, const core::References& best, double limit = core::kQuietLimit);

struct QuietVisits {
    std::vector<core::Visit> visits;  ///< those of quiet processes, with their quiet batches; all and whole if `busy`
    bool busy = false;                ///< too few processes had quiet batches
    double kept_ratio = 1;            ///< batches that were quiet, of all
    double confirmed_ratio = 1;       ///< of those, the ones that the additions confirm
};

/// `visits`: of one case, without those that failed. Nothing where no references were taken, or no best is known.
[[nodiscard]] std::optional<QuietVisits> select_quiet(const std::vector<const core::Visit*>& visits,
                                                      const core::References& best, double limit = core::kQuietLimit);

}  // namespace tare::stats
