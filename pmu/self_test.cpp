// Every pass, and in it every kind of work that one of its counters is judged by. A counter of several passes keeps its
// worst outcome.
#include "pmu/self_test.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "harness/core/clock.h"
#include "pmu/known_work.h"
#include "pmu/self_test_judgement.h"

namespace tare::pmu {

namespace {

/// Prepared when it is first needed, and kept for the other passes.
using Works = std::map<WorkKind, core::Expected<KnownWork>>;

struct WorkCount {
    core::BatchCounts counts;
    std::int64_t wall_ns = 0;
};

WorkCount count(CounterSet& counters, KnownWork& work) {
    work.reset();
    const std::int64_t begin_ns = core::wall_clock_ns();
    counters.read_before();
    work.run();
    counters.read_after();
    const std::int64_t wall_ns = core::wall_clock_ns() - begin_ns;
    return {.counts = counters.difference(), .wall_ns = wall_ns};
}

core::CounterOutcome not_tested(core::CounterState state, const core::Error& error) {
    return {.state = state,
            .problem = core::CounterProblem{.errno_name = "", .reason = error.what, .hint = error.hint},
            .reading_cost = 0};
}

/// What the counter at `place` of a pass makes of the work of its role.
core::CounterOutcome outcome_of(const core::CounterRequest& request, std::size_t place,
                                const std::map<WorkKind, WorkCount>& counted, const Works& works) {
    SelfCount sum;
    std::int64_t wall_ns = 0;
    for (const WorkKind kind : work_for(request)) {
        const auto it = counted.find(kind);
        if (it == counted.end()) return not_tested(core::CounterState::kSuspect, works.at(kind).error());
        const core::BatchCounts& counts = it->second.counts;
        wall_ns += it->second.wall_ns;
        sum.readable = sum.readable && !counts.counts.empty();
        sum.enabled_ns += counts.enabled_ns;
        sum.running_ns += counts.running_ns;
        if (!counts.counts.empty()) sum.value += counts.counts[place].value;
    }
    return judge(request, sum, expectation_of(request, wall_ns));
}

void test_pass(CounterSet& counters, std::size_t pass, Works& works) {
    const std::vector<std::size_t> members = counters.counters().passes[pass];
    const auto worsen = [&counters](std::size_t counter, core::CounterOutcome outcome) {
        const core::CounterOutcome& known = counters.counters().outcomes[counter];
        if (outcome.state <= known.state) return;
        outcome.reading_cost = known.reading_cost;
        counters.set_outcome(counter, std::move(outcome));
    };
    if (const core::Status active = counters.activate(pass); !active) {
        for (const std::size_t each : members)
            worsen(each, not_tested(core::CounterState::kUnavailable, active.error()));
        return;
    }
    std::map<WorkKind, WorkCount> counted;
    for (const std::size_t each : members)
        for (const WorkKind kind : work_for(counters.requests()[each])) {
            if (counted.contains(kind)) continue;
            auto work = works.find(kind);
            if (work == works.end()) work = works.emplace(kind, KnownWork::prepare(kind)).first;
            if (work->second) counted.emplace(kind, count(counters, *work->second));
        }
    counters.deactivate();
    for (std::size_t place = 0; place < members.size(); ++place)
        worsen(members[place], outcome_of(counters.requests()[members[place]], place, counted, works));
}

}  // namespace

void self_test(CounterSet& counters) {
    Works works;
    for (std::size_t pass = 0; pass < counters.counters().passes.size(); ++pass) test_pass(counters, pass, works);
}

}  // namespace tare::pmu
