// Further rounds: what a run adds to its rounds for the cases that it knows least of, since processes differ more for
// some statements than for others. It may take a tenth of the time that the rounds took.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "harness/measure/rounds.h"

namespace tare::measure {

/// What the rounds took. Seconds.
struct RoundCosts {
    double all_s = 0;
    double visits_s = 0;  ///< of these the visits; the rest goes to the starts of workers
    std::size_t visits = 0;
    std::size_t workers = 0;
};

/// How many visits each further round may have. Pure.
class FurtherRounds {
  public:
    /// An interval over more than eight processes is another one (stats/estimate.h).
    static constexpr int kMostRounds = 3;
    static constexpr double kShare = 0.1;  // of the time

    explicit FurtherRounds(const RoundCosts& costs);

    /// Of the next round, in equal parts of what is left; fewer rounds where a part would not pay for a worker. 0:
    /// none.
    [[nodiscard]] std::size_t next_visits();
    void took(double seconds) { left_s_ -= seconds; }

  private:
    double start_s_ = 0;
    double visit_s_ = 0;
    double left_s_ = 0;
    int rounds_left_ = kMostRounds;
};

/// Cases of at most so many, which are to be visited again; empty: all are known well enough.
using ChooseCases = std::function<std::vector<core::Case>(std::size_t most)>;

/// `settings`: of the rounds that were made; theirs are the seeds and numbers before. Errors as run_rounds.
[[nodiscard]] core::Status run_further_rounds(const RoundSettings& settings, const RoundCosts& costs,
                                              const ChooseCases& choose, const SpawnWorker& spawn,
                                              const RoundEvents& events);

}  // namespace tare::measure
