// Rounds: fresh workers, every case once a round in random order. The unit of replication is the worker process.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "harness/core/case.h"
#include "harness/core/error.h"
#include "harness/core/visit.h"
#include "harness/measure/visitor.h"
#include "harness/measure/worker_link.h"

namespace tare::measure {

/// A page: a longer padding does not move the stack within one any further.
inline constexpr std::size_t kPaddingSpanBytes = 4096;

struct RoundSettings {
    int rounds = 17;          ///< fewer than 5 give a t interval too wide to use; 1 gives none between processes
    bool spare_slow = false;  ///< a case that took more than its budget twice is visited in every second round
    std::uint64_t seed = 0;
    VisitSettings visit;
    int first_round = 0;  ///< what the first one is called, and its worker
    int first_process = 0;
};

/// What is drawn anew for each worker (DESIGN: what differs apart from the code under test is redrawn).
struct WorkerDraw {
    int round = 0;
    int process = 0;
    std::uint32_t hash_seed = 0;
    std::size_t padding_bytes = 0;  ///< of environment, below kPaddingSpanBytes: moves the initial stack
    bool operator==(const WorkerDraw&) const = default;
};

struct RoundEvents {
    std::function<void(const core::Case&, int round)> visit_starts;
    std::function<core::Status(const core::Visit&)> visit_done;  ///< an error (a full disk) ends the run
    /// After the visits of a round, while its latest worker lives, if it does: what has it loaded? May be empty.
    std::function<core::Status(WorkerLink&, int round)> round_measured = {};
    std::function<void(int visits)> spared = {};  ///< so many later visits of a slow case; may be empty
    std::function<bool()> stop;                   ///< asked between visits
};

using SpawnWorker = std::function<core::Expected<std::unique_ptr<WorkerLink>>(const WorkerDraw&)>;

/// A case that fails is not visited again; its worker is replaced, so that it costs itself only. Errors: no worker can
/// be spawned, an event failed, kInterrupted. What was measured before has been handed to visit_done.
[[nodiscard]] core::Status run_rounds(const std::vector<core::Case>& cases, const RoundSettings& settings,
                                      const SpawnWorker& spawn, const RoundEvents& events);

}  // namespace tare::measure
