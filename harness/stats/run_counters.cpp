// The worst state wins, because a run's value is a median over all of its processes.
#include "harness/stats/run_counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/stats/estimate.h"
#include "harness/stats/estimators.h"

namespace tare::stats {

namespace {

using core::CounterProblem;
using core::CounterState;

/// Smallest over all values; by counter.
std::vector<double> counted_ratios(std::size_t counters, const std::vector<core::Visit>& visits) {
    std::vector<double> ratios(counters, 1);
    for (const core::Visit& visit : visits) {
        if (visit.error) continue;  // its counts make no value
        for (const core::RungVisit& rung : visit.rungs)
            for (const core::RungCount& count : rung.counts)
                if (count.counter < counters && std::isfinite(count.counted_ratio))
                    ratios[count.counter] = std::min(ratios[count.counter], count.counted_ratio);
    }
    return ratios;
}

CounterProblem unexplained(const core::CounterRequest& request, int processes) {
    if (request.problem) return *request.problem;
    return {"", processes == 0 ? "no worker told whether it counts" : "the worker gave no reason", ""};
}

void add_outcomes(RunCounter& counter, std::size_t index, const std::vector<core::CountingProcess>& processes) {
    std::vector<double> costs;
    for (const core::CountingProcess& process : processes) {
        if (index >= process.counters.outcomes.size()) continue;
        const core::CounterOutcome& outcome = process.counters.outcomes[index];
        if (outcome.state != CounterState::kUnavailable && std::isfinite(outcome.reading_cost))
            costs.push_back(outcome.reading_cost);
        const bool first = counter.processes++ == 0;
        if (first || outcome.state > counter.opened) {
            counter.opened = outcome.state;
            counter.problem = outcome.problem;
            counter.affected = 0;
        }
        counter.affected += outcome.state == counter.opened ? 1 : 0;
    }
    if (!costs.empty()) counter.reading_cost = median(costs);
}

}  // namespace

std::vector<RunCounter> run_counters(const core::Counting& counting, const std::vector<core::Visit>& visits) {
    const std::vector<double> ratios = counted_ratios(counting.requests.size(), visits);
    std::vector<RunCounter> counters;
    for (std::size_t i = 0; i < counting.requests.size(); ++i) {
        RunCounter counter;
        counter.request = counting.requests[i];
        counter.counted_ratio = ratios[i];
        add_outcomes(counter, i, counting.processes);
        counter.state = counter.opened;
        if (counter.state == CounterState::kMeasured && ratios[i] < 1) {
            counter.state = CounterState::kPartial;
            counter.problem = CounterProblem{"", fmt::format("counted during {} of the time", share_text(ratios[i])),
                                             "count fewer events at once"};
        }
        if (counter.state == CounterState::kMeasured)
            counter.problem.reset();
        else if (!counter.problem)
            counter.problem = unexplained(counter.request, counter.processes);
        counters.push_back(std::move(counter));
    }
    return counters;
}

CounterState state_in_case(const RunCounter& counter, const CountEstimate* estimate) {
    if (counter.state == CounterState::kUnavailable || estimate == nullptr) return CounterState::kUnavailable;
    return std::max(counter.opened, estimate->counted_ratio < 1 ? CounterState::kPartial : CounterState::kMeasured);
}

std::string reason_text(const RunCounter& counter) {
    if (!counter.problem) return {};
    const CounterProblem& problem = *counter.problem;
    std::string text = problem.errno_name.empty() ? problem.reason : problem.errno_name + ": " + problem.reason;
    if (counter.state == counter.opened && counter.affected < counter.processes)
        text = fmt::format("in {} of {} processes: {}", counter.affected, counter.processes, text);
    return text;
}

std::string share_text(double counted_ratio) {
    return fmt::format("{:.1f} %", std::floor(counted_ratio * 1000) / 10);
}

}  // namespace tare::stats
