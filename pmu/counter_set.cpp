// Groups stay open and disabled but for the active one: a disabled group holds no counter of the PMU.
#include "pmu/counter_set.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "pmu/core_clock.h"
#include "pmu/pass_plan.h"
#include "pmu/usage_count.h"

namespace tare::pmu {

namespace {

struct Reading {
    std::vector<std::uint64_t> words;  ///< number of values, enabled ns, running ns, values
    ThreadUsage usage;
    double chain_ns = 0;
    std::int64_t at_ns = 0;
    bool readable = false;
};

/// Counters are 64 bits wide and may wrap; what lies between two readings is far below half of that.
std::int64_t delta(std::uint64_t before, std::uint64_t after) {
    return static_cast<std::int64_t>(after - before);
}

}  // namespace

struct CounterSet::State {
    PerfKernel* kernel = nullptr;
    std::vector<core::CounterRequest> requests;
    PassPlan plan;
    std::optional<std::size_t> active;
    std::size_t pass = 0;           ///< of the last two readings
    CounterGroup* group = nullptr;  ///< of the active pass
    bool needs_usage = false;       ///< so does a counter of the active pass
    bool needs_clock = false;
    Reading before;
    Reading after;

    [[nodiscard]] bool needs(core::CounterSource source) const {
        return std::ranges::any_of(plan.counters.passes[pass],
                                   [&](std::size_t each) { return requests[each].source == source; });
    }
    /// What a counter that is in no group counted between the last two readings.
    [[nodiscard]] std::int64_t beside(const core::CounterRequest& request) const {
        if (request.source == core::CounterSource::kClock)
            return std::llround(
                cycles_between(before.chain_ns, static_cast<double>(after.at_ns - before.at_ns), after.chain_ns));
        return delta(usage_count(request.role, before.usage).value_or(0),
                     usage_count(request.role, after.usage).value_or(0));
    }
    [[nodiscard]] std::string names_of(std::size_t which) const {
        std::vector<std::string> names;
        for (const std::size_t each : plan.counters.passes[which]) names.push_back(requests[each].name);
        return fmt::format("'{}'", fmt::join(names, "', '"));
    }
};

CounterSet::CounterSet(std::unique_ptr<State> state) : state_(std::move(state)) {}
CounterSet::CounterSet(CounterSet&&) noexcept = default;
CounterSet& CounterSet::operator=(CounterSet&&) noexcept = default;
CounterSet::~CounterSet() = default;

CounterSet CounterSet::open(std::vector<core::CounterRequest> requests, PerfKernel& kernel) {
    return open(std::move(requests), kernel, counting_surroundings());
}

CounterSet CounterSet::open(std::vector<core::CounterRequest> requests, PerfKernel& kernel,
                            const CountingSurroundings& surroundings) {
    auto state = std::make_unique<State>();
    state->kernel = &kernel;
    state->plan = open_passes(requests, kernel, surroundings);
    state->requests = std::move(requests);
    return CounterSet(std::move(state));
}

const core::OpenCounters& CounterSet::counters() const {
    return state_->plan.counters;
}

const std::vector<core::CounterRequest>& CounterSet::requests() const {
    return state_->requests;
}

void CounterSet::set_outcome(std::size_t counter, core::CounterOutcome outcome) {
    state_->plan.counters.outcomes.at(counter) = std::move(outcome);
}

core::Status CounterSet::activate(std::size_t pass) {
    assert(pass < state_->plan.groups.size());
    if (state_->active != pass) deactivate();
    CounterGroup& group = state_->plan.groups[pass];
    if (const int failure = group.enable(); failure != 0)
        return core::fail(
            core::ErrorCode::kEnvironment,
            fmt::format("cannot enable the counters {}: {}", state_->names_of(pass), std::strerror(failure)),
            "`bench pmu check` tells which counters work here");
    state_->active = pass;
    state_->pass = pass;
    state_->group = &group;
    state_->needs_usage = state_->needs(core::CounterSource::kUsage);
    state_->needs_clock = state_->needs(core::CounterSource::kClock);
    for (Reading* each : {&state_->before, &state_->after}) {
        each->words.assign(group.reading_words(), 0);
        each->readable = false;
    }
    return {};
}

void CounterSet::deactivate() {
    // A group that cannot be disabled is one that the kernel has closed; there is nothing left to do about it.
    if (state_->group != nullptr) (void)state_->group->disable();
    state_->active.reset();
    state_->group = nullptr;
}

void CounterSet::read_before() noexcept {
    State& state = *state_;
    state.after.readable = false;
    if (state.needs_clock) state.before.chain_ns = state.kernel->chain_ns();
    if (state.needs_usage) state.before.usage = state.kernel->usage();
    state.before.readable = state.group != nullptr && state.group->read(state.before.words);
    if (state.needs_clock) state.before.at_ns = state.kernel->now_ns();  // after the system calls, which take a while
}

void CounterSet::read_after() noexcept {
    State& state = *state_;
    if (state.needs_clock) state.after.at_ns = state.kernel->now_ns();
    state.after.readable = state.group != nullptr && state.group->read(state.after.words);
    if (state.needs_usage) state.after.usage = state.kernel->usage();
    if (state.needs_clock) state.after.chain_ns = state.kernel->chain_ns();
}

core::BatchCounts CounterSet::difference() const {
    const Reading& before = state_->before;
    const Reading& after = state_->after;
    core::BatchCounts counts{.pass = state_->pass, .enabled_ns = 0, .running_ns = 0, .counts = {}};
    if (!before.readable || !after.readable) return counts;
    // A clock that ticks more slowly than a chain runs tells no rate.
    if (state_->needs_clock && !(before.chain_ns > 0 && after.chain_ns > 0)) return counts;
    counts.enabled_ns = after.words[1] - before.words[1];
    counts.running_ns = after.words[2] - before.words[2];
    const std::vector<std::size_t>& members = state_->plan.counters.passes[state_->pass];
    const std::size_t of_group = before.words.size() - CounterGroup::kHeaderWords;
    counts.counts.reserve(members.size());
    for (std::size_t i = 0; i < members.size(); ++i) {
        const std::size_t word = CounterGroup::kHeaderWords + i;
        counts.counts.push_back({i < of_group ? delta(before.words[word], after.words[word])
                                              : state_->beside(state_->requests[members[i]])});
    }
    return counts;
}

}  // namespace tare::pmu
