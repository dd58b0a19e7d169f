// A case's counts, each with its state.
#include "harness/record/case_counts.h"

#include <fmt/format.h>

#include <algorithm>

namespace tare::record {

namespace {

using core::CounterRole;
using core::CounterState;

std::string why_none(const stats::RunCounter& counter, const stats::CaseEstimate& estimate) {
    if (counter.state == CounterState::kUnavailable) return reason_text(counter);
    if (estimate.error) return estimate.error->what;
    if (estimate.rung(core::RungKind::kPython) == nullptr) return "no python rung was measured";
    return "no batch of this case was counted";
}

const stats::RunCounter* first_of(const Summary& summary, CounterRole role) {
    const auto found = std::ranges::find(summary.counters, role, [](const auto& c) { return c.request.role; });
    return found == summary.counters.end() ? nullptr : &*found;
}

}  // namespace

std::vector<CaseCount> case_counts(const Summary& summary, const stats::CaseEstimate& estimate) {
    const stats::RungEstimate* rung = estimate.rung(core::RungKind::kPython);
    std::vector<CaseCount> counts;
    for (std::size_t i = 0; i < summary.counters.size(); ++i) {
        CaseCount count;
        count.counter = &summary.counters[i];
        if (rung != nullptr)
            for (const stats::CountEstimate& each : rung->counts)
                if (each.counter == i) count.estimate = &each;
        count.state = state_in_case(*count.counter, count.estimate);
        if (count.state == CounterState::kUnavailable) {
            count.estimate = nullptr;
            count.reason = why_none(*count.counter, estimate);
        } else if (count.state == CounterState::kPartial && count.estimate->counted_ratio < 1) {
            count.reason =
                fmt::format("counted during {} of the time", stats::share_text(count.estimate->counted_ratio));
        } else if (count.state != CounterState::kMeasured) {
            count.reason = reason_text(*count.counter);
        }
        counts.push_back(std::move(count));
    }
    return counts;
}

bool asks_instructions_per_cycle(const Summary& summary) {
    return first_of(summary, CounterRole::kCycles) != nullptr &&
           first_of(summary, CounterRole::kInstructions) != nullptr;
}

core::Expected<double> instructions_per_cycle(const Summary& summary, const stats::CaseEstimate& estimate) {
    const stats::RungEstimate* rung = estimate.rung(core::RungKind::kPython);
    if (rung != nullptr && rung->instructions_per_cycle) return *rung->instructions_per_cycle;
    for (const CounterRole role : {CounterRole::kCycles, CounterRole::kInstructions}) {
        const stats::RunCounter* counter = first_of(summary, role);
        if (counter == nullptr || counter->trusted()) continue;
        return core::fail(core::ErrorCode::kEnvironment,
                          fmt::format("{}: {}", counter->request.name, reason_text(*counter)));
    }
    return core::fail(core::ErrorCode::kData, estimate.error ? estimate.error->what
                                              : rung == nullptr
                                                  ? "no python rung was measured"
                                                  : "no visit counted both cycles and instructions above 0");
}

}  // namespace tare::record
