// Test data: the sample run with counters. Exact counts, proportional to the times: with a PMU, without one, and on one
// that is not to be trusted.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "harness/record/sample_run.h"

namespace tare::record {

inline const core::CounterProblem kNoPmu = {"ENOENT", "this machine exposes no PMU",
                                            "on bare metal, or in a guest with a virtual PMU, they count"};

inline std::vector<core::CounterRequest> sample_requests() {
    using enum core::CounterRole;
    using enum core::CounterSource;
    const auto hardware = [](core::CounterRole role, const std::string& event, std::uint64_t config) {
        return core::CounterRequest{
            std::string(core::name_of(role)), role, kHardware, "skx::" + event, "cpu", 4, config, 0, 0, false, {}};
    };
    return {
        hardware(kCycles, "UNHALTED_CORE_CYCLES", 0x3c),
        hardware(kInstructions, "INSTRUCTION_RETIRED", 0xc0),
        hardware(kBranches, "BR_INST_RETIRED:ALL_BRANCHES", 0xc4),
        hardware(kBranchMisses, "BR_MISP_RETIRED:ALL_BRANCHES", 0xc5),
        hardware(kL1dMisses, "L1D:REPLACEMENT", 0x151),
        hardware(kL2Misses, "L2_RQSTS:MISS", 0x3f24),
        hardware(kLlcMisses, "LONGEST_LAT_CACHE:MISS", 0x412e),
        hardware(kDtlbWalks, "DTLB_LOAD_MISSES:WALK_COMPLETED", 0xe08),
        {"task_clock", kTaskClock, kSoftware, "perf::PERF_COUNT_SW_TASK_CLOCK", "software", 1, 1, 0, 0, false, {}},
        {"page_faults", kPageFaults, kSoftware, "perf::PERF_COUNT_SW_PAGE_FAULTS", "software", 1, 2, 0, 0, false, {}},
        {"context_switches", kContextSwitches, kUsage, "ru_nvcsw + ru_nivcsw", "", 0, 0, 0, 0, true, {}}};
}
inline constexpr std::size_t kSampleCounters = 11;

/// Events in a nanosecond, of each: less than one in an execution of most cases for all but cycles, instructions and
/// branches; no fault and no switch, as in the median over batches.
inline constexpr std::array<double, kSampleCounters> kSampleRates = {2.7,  8.25, 1.6, 0.0011, 0.0004, 0.00007,
                                                                     2e-7, 3e-6, 1.0, 0,      0};

/// Of one rung: two passes, with cycles and instructions in both.
inline std::vector<core::RungCount> sample_counts(double ns, double floor_ns, int round,
                                                  const std::vector<bool>& counted) {
    std::vector<core::RungCount> counts;
    for (std::size_t i = 0; i < kSampleCounters; ++i) {
        if (!counted[i]) continue;
        const double noise = i == 1 ? 1 : 1 + 0.005 * round;  // instructions repeat
        const double net = kSampleRates[i] * ns * noise, floor = kSampleRates[i] * floor_ns;
        core::RungCount count{i, net + floor, floor, net, net * 0.99, 1, {}, i < 2 ? 7 : i < 4 || i > 7 ? 4 : 3};
        if (i == 1) count.lowest_net = net;
        if (counted[1]) count.instructions = kSampleRates[1] * ns;
        counts.push_back(count);
    }
    return counts;
}

/// The sample run, of `rounds` processes, with counters of which `outcomes` say what became of them.
inline Record sample_counting_run(int rounds, std::vector<core::CounterOutcome> outcomes) {
    Record record = sample_run(rounds);
    record.counting.requests = sample_requests();
    std::vector<bool> counted;
    for (const core::CounterOutcome& outcome : outcomes)
        counted.push_back(outcome.state != core::CounterState::kUnavailable);
    for (core::Visit& visit : record.visits)
        for (core::RungVisit& rung : visit.rungs) {
            const core::Sample& first = rung.samples.front();
            const double floor_ns = rung.floor_ns / rung.unroll;
            rung.counts =
                sample_counts(first.wall_ns / static_cast<double>(first.n) - floor_ns, floor_ns, visit.round, counted);
        }
    std::vector<std::vector<std::size_t>> passes = {{0, 1, 2, 3, 8, 9, 10}};
    if (counted[4]) passes.push_back({0, 1, 4, 5, 6, 7});
    for (std::vector<std::size_t>& pass : passes) std::erase_if(pass, [&](std::size_t i) { return !counted[i]; });
    for (int round = 0; round < rounds; ++round) record.counting.processes.push_back({round, {outcomes, passes}});
    return record;
}

inline std::vector<core::CounterOutcome> good_outcomes() {
    std::vector<core::CounterOutcome> outcomes(kSampleCounters, {core::CounterState::kMeasured, {}, 0});
    outcomes[0].reading_cost = 61.5;
    outcomes[1].reading_cost = 25;
    return outcomes;
}

/// On bare metal: everything counts.
inline Record run_with_pmu(int rounds) {
    return sample_counting_run(rounds, good_outcomes());
}

/// In a guest: the kernel counts, no PMU does.
inline Record run_without_pmu(int rounds) {
    std::vector<core::CounterOutcome> outcomes = good_outcomes();
    for (std::size_t i = 0; i < 8; ++i) outcomes[i] = {core::CounterState::kUnavailable, kNoPmu, 0};
    return sample_counting_run(rounds, outcomes);
}

/// A virtual PMU that shares and lies: L1D misses are counted part of the time in one process, LLC misses read 0, the
/// TLB's event is not known to this CPU, and one case has no count of branch misses.
inline Record run_with_doubtful_counters(int rounds) {
    std::vector<core::CounterOutcome> outcomes = good_outcomes();
    outcomes[6] = {core::CounterState::kSuspect,
                   core::CounterProblem{"", "the self-test read 0 where 4,096 lines were missed",
                                        "ask the provider for a PMU with cache events"},
                   0};
    outcomes[7] = {core::CounterState::kUnavailable,
                   core::CounterProblem{"ENOENT", "this CPU does not know the event", ""}, 0};
    Record record = sample_counting_run(rounds, outcomes);
    for (core::Visit& visit : record.visits)
        for (core::RungVisit& rung : visit.rungs)
            for (core::RungCount& count : rung.counts) {
                if (count.counter == 6) count.gross = count.net = count.floor = count.lowest_net = 0;
                if (count.counter == 4 && visit.round == 0 && visit.case_name.starts_with("matmul"))
                    count.counted_ratio = 0.6125;
                if (count.counter == 5 && visit.case_name.starts_with("sum")) count.net = -0.41;
            }
    for (core::Visit& visit : record.visits)
        if (visit.case_name == "add[kind=float]")
            for (core::RungVisit& rung : visit.rungs)
                std::erase_if(rung.counts, [](const core::RungCount& count) { return count.counter == 3; });
    return record;
}

}  // namespace tare::record
