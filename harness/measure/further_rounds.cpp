// Costs first, then rounds of chosen cases.
#include "harness/measure/further_rounds.h"

#include <algorithm>
#include <cmath>

#include "harness/core/clock.h"
#include "harness/measure/reference_watch.h"

namespace tare::measure {

double share_of_further_rounds(std::size_t wide, std::size_t cases) {
    constexpr double kShare = 0.1;
    constexpr double kShareIfNoisy = 1.0 / 3;
    constexpr double kManyRatio = 0.25;
    return static_cast<double>(wide) > kManyRatio * static_cast<double>(cases) ? kShareIfNoisy : kShare;
}

FurtherRounds::FurtherRounds(const RoundCosts& costs, double share) : left_s_(share * (costs.all_s - costs.waited_s)) {
    // Each worker may wait as long as that without its going off the rounds: a run of one case is not over before them.
    const double free_s = 1e-9 * ReferenceWatch::kWaitOfRoundNs * static_cast<double>(costs.workers);
    left_s_ -= std::max(0.0, costs.waited_s - free_s);
    if (costs.visits == 0 || costs.workers == 0 || !(costs.visits_s > 0)) {
        rounds_left_ = 0;
        return;
    }
    visit_s_ = costs.visits_s / static_cast<double>(costs.visits);
    start_s_ = std::max(0.0, costs.all_s - costs.visits_s) / static_cast<double>(costs.workers);
}

std::size_t FurtherRounds::next_visits() {
    for (; rounds_left_ > 0; --rounds_left_) {
        const double visits = std::floor((left_s_ / rounds_left_ - start_s_) / visit_s_);
        if (visits < 1) continue;
        --rounds_left_;
        return static_cast<std::size_t>(visits);
    }
    return 0;
}

core::Status run_further_rounds(std::size_t cases, const RoundSettings& settings, const RoundCosts& costs,
                                const ChooseCases& choose, const SpawnWorker& spawn, const RoundEvents& events) {
    FurtherRounds further(costs, share_of_further_rounds(choose(cases).size(), cases));
    RoundSettings next = settings;
    next.first_round = settings.first_round + settings.rounds;
    next.first_process = settings.first_process + static_cast<int>(costs.workers);
    next.rounds = 1;
    while (const std::size_t most = further.next_visits()) {
        const std::vector<core::Case> chosen = choose(most);
        if (chosen.empty()) break;
        const std::int64_t started_ns = core::wall_clock_ns();
        next.seed = settings.seed + static_cast<std::uint64_t>(next.first_round);
        if (core::Status s = run_rounds(chosen, next, spawn, events); !s) return s;
        further.took(1e-9 * static_cast<double>(core::wall_clock_ns() - started_ns));
        ++next.first_round;
        next.first_process += static_cast<int>(chosen.size());  // as many workers at most, where all fail
    }
    return {};
}

}  // namespace tare::measure
