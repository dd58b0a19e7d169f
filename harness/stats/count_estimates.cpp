// Counts of a rung, counter by counter, and the ratios made of them.
#include "harness/stats/count_estimates.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace tare::stats {

namespace {

using core::CounterRole;
using core::RungCount;
using Counts = std::vector<const RungCount*>;  ///< of one counter, one a visit

bool is_finite(const RungCount& count) {
    return std::isfinite(count.gross) && std::isfinite(count.floor) && std::isfinite(count.net) &&
           std::isfinite(count.lowest_net) && std::isfinite(count.counted_ratio);
}

const std::vector<RungCount>* counts_of(const core::Visit& visit, core::RungKind kind) {
    for (const core::RungVisit& rung : visit.rungs)
        if (rung.kind == kind) return &rung.counts;
    return nullptr;
}

const RungCount* find(const std::vector<RungCount>& counts, std::size_t counter) {
    for (const RungCount& count : counts)
        if (count.counter == counter && is_finite(count)) return &count;
    return nullptr;
}

std::vector<double> values_of(const Counts& counts, double RungCount::*member) {
    std::vector<double> values;
    for (const RungCount* count : counts) values.push_back(count->*member);
    return values;
}

/// numerator / denominator, where that says something.
std::optional<double> ratio(double numerator, double denominator) {
    const double value = numerator / denominator;
    return denominator > 0 && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<double> median_of(const std::vector<double>& values) {
    return values.empty() ? std::nullopt : std::optional(median(values));
}

CountEstimate estimate_count(std::size_t counter, const Counts& counts) {
    CountEstimate estimate;
    estimate.counter = counter;
    const std::vector<double> net = values_of(counts, &RungCount::net);
    estimate.net.value = median(net);
    estimate.net.processes = static_cast<int>(net.size());
    estimate.net.interval = t_interval(net);
    if (estimate.net.interval) estimate.net.basis = IntervalBasis::kProcesses;
    estimate.lowest = std::ranges::min(values_of(counts, &RungCount::lowest_net));
    estimate.gross = median(values_of(counts, &RungCount::gross));
    estimate.floor = median(values_of(counts, &RungCount::floor));
    estimate.counted_ratio = std::ranges::min(values_of(counts, &RungCount::counted_ratio));
    return estimate;
}

std::optional<double> per_thousand(const Counts& counts) {
    std::vector<double> ratios;
    for (const RungCount* count : counts)
        if (const auto value = count->instructions ? ratio(1000 * count->net, *count->instructions) : std::nullopt)
            ratios.push_back(*value);
    return median_of(ratios);
}

/// Counters of these roles that count the same thing: one PMU, one scope.
struct Pair {
    std::size_t instructions;
    std::size_t cycles;
};
std::vector<Pair> ratio_pairs(const std::vector<RunCounter>& counters) {
    std::vector<Pair> pairs;
    for (std::size_t c = 0; c < counters.size(); ++c)
        for (std::size_t i = 0; i < counters.size(); ++i) {
            const core::CounterRequest& cycles = counters[c].request;
            const core::CounterRequest& instructions = counters[i].request;
            if (cycles.role == CounterRole::kCycles && instructions.role == CounterRole::kInstructions &&
                counters[c].trusted() && counters[i].trusted() && cycles.pmu == instructions.pmu &&
                cycles.kernel == instructions.kernel)
                pairs.push_back({i, c});
        }
    return pairs;
}

std::optional<double> instructions_per_cycle(const std::vector<const core::Visit*>& visits, core::RungKind kind,
                                             const std::vector<RunCounter>& counters) {
    for (const Pair& pair : ratio_pairs(counters)) {
        std::vector<double> ratios;
        for (const core::Visit* visit : visits) {
            const std::vector<RungCount>* counts = counts_of(*visit, kind);
            if (counts == nullptr) continue;
            const RungCount* instructions = find(*counts, pair.instructions);
            const RungCount* cycles = find(*counts, pair.cycles);
            if (instructions == nullptr || cycles == nullptr) continue;
            if (const auto value = ratio(instructions->net, cycles->net)) ratios.push_back(*value);
        }
        if (!ratios.empty()) return median_of(ratios);
    }
    return std::nullopt;
}

/// Faults and switches happen to the program as a whole, not to its instructions.
bool has_ratio(const RunCounter& counter) {
    return counter.trusted() && counter.request.source == core::CounterSource::kHardware &&
           counter.request.role != CounterRole::kInstructions;
}

/// Nothing per instruction where the instructions are not to be believed.
bool instructions_trusted(const std::vector<RunCounter>& counters) {
    return std::ranges::none_of(counters, [](const RunCounter& counter) {
        return counter.request.role == CounterRole::kInstructions && !counter.trusted();
    });
}

}  // namespace

RungCounts estimate_counts(const std::vector<const core::Visit*>& visits, core::RungKind kind,
                           const std::vector<RunCounter>& counters) {
    std::map<std::size_t, Counts> by_counter;
    for (const core::Visit* visit : visits)
        if (const std::vector<RungCount>* counts = counts_of(*visit, kind))
            for (const RungCount& count : *counts)
                if (is_finite(count)) by_counter[count.counter].push_back(&count);
    RungCounts result;
    const bool may_divide = instructions_trusted(counters);
    for (const auto& [counter, counts] : by_counter) {
        CountEstimate estimate = estimate_count(counter, counts);
        if (may_divide && counter < counters.size() && has_ratio(counters[counter]))
            estimate.per_thousand_instructions = per_thousand(counts);
        result.counts.push_back(estimate);
    }
    result.instructions_per_cycle = instructions_per_cycle(visits, kind, counters);
    return result;
}

}  // namespace tare::stats
