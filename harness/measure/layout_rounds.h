// Layout rounds: fresh workers, each stepping every case at a few placements. The unit of replication is the memory
// layout: instruction counts are exact, but pointers are hashed and copies are aligned, so that another layout may take
// another branch.
#pragma once

#include <chrono>
#include <functional>
#include <vector>

#include "harness/core/case.h"
#include "harness/core/error.h"
#include "harness/core/trace.h"
#include "harness/measure/rounds.h"
#include "harness/measure/worker_link.h"

namespace tare::measure {

inline constexpr int kDefaultLayouts = 10;
/// Below, ranges over layouts are too narrow to claim a difference by: two workers with two placements each.
inline constexpr int kFewestLayoutsToCompare = 4;
/// Of a limit: the steps must fit into one message.
inline constexpr std::size_t kMostSteps = 2'000'000;
/// Of one worker. Placements alone, and workers alone, miss low counts that the other finds: np.sum's lowest count is
/// missed by 0.65 % in 5 % of tries with one worker of 3 placements, by 0.29 % with 5 workers of one.
inline constexpr int kPlacementsOfAWorker = 2;

struct LayoutSettings {
    int layouts = kDefaultLayouts;     ///< placements in all, kPlacementsOfAWorker in each worker
    std::size_t step_limit = 100'000;  ///< instructions of one execution
    /// All draws follow from it, and from nothing that the machine or the user's surroundings decide: the same layouts
    /// are drawn again by the next run.
    std::uint64_t seed = 0;
    std::chrono::milliseconds time_limit{10'000};  ///< for one request, beside what stepping to the limit takes
};

/// One execution of the statement, and one empty pass of the same loop in the same worker.
struct LayoutTraces {
    core::Trace statement;
    core::Trace floor;
};

struct LayoutEvents {
    std::function<void(const core::Case&, int layout)> starts;
    /// While the worker lives: it may be asked for more. An error is one of the case.
    std::function<core::Status(const core::Case&, const LayoutTraces&, WorkerLink&)> traced;
    std::function<core::Status(const core::Case&, const core::Error&)> refused;  ///< an error (a full disk) ends all
    std::function<bool()> stop;                                                  ///< asked between cases
};

/// A case that cannot be stepped is not tried again; its worker is replaced. Errors: no worker can be spawned, an event
/// failed, kInterrupted.
[[nodiscard]] core::Status run_layouts(const std::vector<core::Case>& cases, const LayoutSettings& settings,
                                       const SpawnWorker& spawn, const LayoutEvents& events);

/// Why a statement cannot be stepped, and the way out; `detail` and `limit` fill it in.
[[nodiscard]] core::Error refusal_error(core::Refusal refusal, const std::string& detail, std::size_t limit);

}  // namespace tare::measure
