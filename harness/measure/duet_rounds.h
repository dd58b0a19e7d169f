// Rounds of a duet: fresh pairs of workers on one CPU, every undecided case once a round in random order. The unit of
// replication is the pair of processes. What differs between the sides apart from the code under test is drawn anew.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/core/pair_visit.h"
#include "harness/measure/pair_visitor.h"
#include "harness/measure/rounds.h"

namespace tare::measure {

struct DuetSettings {
    int first_round = 0;  ///< that of a duet which is continued
    int first_pair = 0;   ///< likewise
    int max_rounds = 36;  ///< in all, those before first_round included
    std::uint64_t seed = 0;
    PairSettings pair;
    std::vector<double> injected_ratios;  ///< by case, in place of pair.injected_ratio; empty: that one for all
    std::map<std::string, PairSize, std::less<>> sizes;  ///< by case name, those already fixed: of a continued duet
};

struct WorkerPair {
    std::unique_ptr<WorkerLink> a;
    std::unique_ptr<WorkerLink> b;
};

/// Starts both workers, `first` before the other.
using SpawnPair = std::function<core::Expected<WorkerPair>(core::Side first, const WorkerDraw& a, const WorkerDraw& b)>;

struct DuetEvents {
    /// Before the workers of a round start, with none alive: the place to redraw the page cache.
    std::function<core::Status(int round)> round_starts;
    /// After the visits of a round, while its latest workers live: what have they loaded? May be empty.
    std::function<core::Status(WorkerPair&, int round)> round_measured;
    std::function<void(const core::Case&, int round)> visit_starts;
    std::function<core::Status(const core::PairVisit&)> visit_done;  ///< an error (a full disk) ends the duet
    /// After all visits of a round, and before the first with round = first_round - 1: which of the cases go on, by
    /// index. None: the duet ends.
    std::function<std::vector<std::size_t>(int round)> round_ends;
    std::function<bool()> stop;         ///< asked between visits: the user wants it to end
    std::function<bool()> out_of_time;  ///< asked before each round but the first
};

/// A case that fails is not visited again and its workers are replaced. What a round draws depends on the seed and its
/// number alone, so that a continued duet does not draw its first rounds again. n and unroll of a case are fixed at its
/// first visit, from the slower side. Errors: no worker can be spawned, an event failed, kInterrupted. What was
/// measured before has been handed to visit_done. Ends in order when no case goes on, at max_rounds, and when out of
/// time.
[[nodiscard]] core::Status run_duet_rounds(const std::vector<core::Case>& cases, const DuetSettings& settings,
                                           const SpawnPair& spawn, const DuetEvents& events);

}  // namespace tare::measure
