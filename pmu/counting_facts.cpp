// The path that a worker's counters take, once.
#include "pmu/counting_facts.h"

#include "pmu/counter_set.h"
#include "pmu/self_test.h"

namespace tare::pmu {

using core::List;
using core::Map;
using core::Value;

Value counting_facts(const std::vector<core::CounterRequest>& requests, const std::vector<CorePmu>& pmus,
                     const CountingSurroundings& surroundings, PerfKernel& kernel) {
    std::vector<core::CounterRequest> tried;
    for (const core::CounterRequest& each : requests)
        if (each.source == core::CounterSource::kHardware && !each.problem) tried.push_back(each);
    CounterSet counters = CounterSet::open(tried, kernel);
    self_test(counters);
    List outcomes;
    for (std::size_t i = 0; i < tried.size(); ++i) {
        const core::CounterOutcome& outcome = counters.counters().outcomes[i];
        const core::CounterProblem problem = outcome.problem.value_or(core::CounterProblem{});
        outcomes.emplace_back(Map{{"name", tried[i].name},
                                  {"state", core::name_of(outcome.state)},
                                  {"errno", problem.errno_name},
                                  {"reason", problem.reason},
                                  {"hint", problem.hint}});
    }
    List names;
    for (const CorePmu& each : pmus) names.emplace_back(each.name);
    Map reasons;
    Value found = outcomes;
    if (outcomes.empty()) {
        reasons["counters"] = "no hardware counter was asked for";
        found = nullptr;
    }
    return Map{{"counters", std::move(found)},
               {"core_pmus", std::move(names)},
               {"privileged", surroundings.privileged},
               {"reasons", std::move(reasons)}};
}

}  // namespace tare::pmu
