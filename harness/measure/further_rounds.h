// Further rounds: what a run adds to its rounds for the cases that it knows least of, since processes differ more for
// some statements than for others. It may take a tenth of the time that the rounds took, and more on a noisy machine.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "harness/measure/rounds.h"

namespace tare::measure {

/// What the rounds took. Seconds.
struct RoundCosts {
    double all_s = 0;
    double waited_s = 0;  ///< of these for quiet moments
    double visits_s = 0;  ///< of these the visits; the rest goes to the starts of workers
    std::size_t visits = 0;
    std::size_t workers = 0;
};

/// Of the time that was measured what further rounds may take, where `wide` of `cases` are known worse than was asked
/// for: a tenth; where these are more than a quarter, the machine is a noisy one, and it is a third. With all waiting,
/// which goes off but for 0.05 s a worker, a run takes a third longer at most, and those 0.05 s.
[[nodiscard]] double share_of_further_rounds(std::size_t wide, std::size_t cases);

/// How many visits each further round may have. Pure.
class FurtherRounds {
  public:
    /// Each starts a worker; what they may take is spent by then.
    static constexpr int kMostRounds = 3;

    FurtherRounds(const RoundCosts& costs, double share);

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

/// At most so many cases that are to be visited again, those that are known least first; empty: all are known well.
using ChooseCases = std::function<std::vector<core::Case>(std::size_t most)>;

/// `settings`: of the rounds that were made, of `cases`; theirs are the seeds and numbers before. Errors as run_rounds.
[[nodiscard]] core::Status run_further_rounds(std::size_t cases, const RoundSettings& settings, const RoundCosts& costs,
                                              const ChooseCases& choose, const SpawnWorker& spawn,
                                              const RoundEvents& events);

}  // namespace tare::measure
