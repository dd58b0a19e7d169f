// What counting costs: the two readings beside a batch; once a worker, opening the counters and their self-test. By
// software counters and getrusage, which every machine has.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "harness/gbench/selfbench.h"
#include "pmu/counter_set.h"
#include "pmu/self_test.h"

namespace tare::gbench {

namespace {

using core::CounterRole;
using core::CounterSource;

core::CounterRequest request(const char* name, CounterRole role, CounterSource source, std::uint64_t config) {
    core::CounterRequest made;
    made.name = name;
    made.event = name;
    made.role = role;
    made.source = source;
    made.type = 1;  // PERF_TYPE_SOFTWARE; the configs are of perf_sw_ids in linux/perf_event.h
    made.config = config;
    return made;
}

/// Those of the default set.
std::vector<core::CounterRequest> software_counters() {
    return {request("task_clock", CounterRole::kTaskClock, CounterSource::kSoftware, 1),
            request("page_faults", CounterRole::kPageFaults, CounterSource::kSoftware, 2),
            request("context_switches", CounterRole::kContextSwitches, CounterSource::kUsage, 0)};
}

/// Why a counter has no value; empty: all have.
std::string first_problem(const pmu::CounterSet& counters) {
    for (const core::CounterOutcome& each : counters.counters().outcomes)
        if (each.problem) return each.problem->errno_name + ": " + each.problem->reason;
    return {};
}

void read_pair(benchmark::State& state, const std::vector<core::CounterRequest>& requests) {
    pmu::CounterSet counters = pmu::CounterSet::open(requests, pmu::linux_kernel());
    if (const std::string problem = first_problem(counters); !problem.empty())
        return state.SkipWithError(problem.c_str());
    if (const core::Status active = counters.activate(0); !active)
        return state.SkipWithError(active.error().what.c_str());
    for (auto unused : state) {
        counters.read_before();
        counters.read_after();
    }
    if (counters.difference().counts.size() != requests.size()) state.SkipWithError("the counters were not readable");
}

void open_and_close(benchmark::State& state) {
    for (auto unused : state) {
        const pmu::CounterSet counters = pmu::CounterSet::open(software_counters(), pmu::linux_kernel());
        benchmark::DoNotOptimize(counters.counters().passes.data());
    }
}

void self_test(benchmark::State& state) {
    pmu::CounterSet counters = pmu::CounterSet::open(software_counters(), pmu::linux_kernel());
    for (auto unused : state) pmu::self_test(counters);
    if (const std::string problem = first_problem(counters); !problem.empty()) state.SkipWithError(problem.c_str());
}

}  // namespace

void register_counting_benchmarks() {
    const std::vector<core::CounterRequest> all = software_counters();
    benchmark::RegisterBenchmark("counting/read_pair/usage", read_pair, std::vector(all.begin() + 2, all.end()));
    if (const std::string problem = first_problem(pmu::CounterSet::open(all, pmu::linux_kernel())); !problem.empty())
        return fmt::print(stderr, "counting: only usage is measured: {}\n", problem);
    benchmark::RegisterBenchmark("counting/read_pair/software", read_pair, std::vector(all.begin(), all.begin() + 2));
    benchmark::RegisterBenchmark("counting/read_pair/software_and_usage", read_pair, all);
    benchmark::RegisterBenchmark("counting/open", open_and_close)->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark("counting/self_test", self_test)->Unit(benchmark::kMicrosecond);
}

}  // namespace tare::gbench
