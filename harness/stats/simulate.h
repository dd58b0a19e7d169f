// Test data: visits as a worker would report them, made from known truths and seeded noise. Nanoseconds.
#pragma once

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "harness/core/visit.h"

namespace tare::stats {

/// A rung whose batches are exactly n executions of `per_execution_ns` each, plus the floor of each pass.
inline core::RungVisit rung_of_values(core::RungKind kind, const std::vector<double>& per_execution_ns,
                                      double floor_ns = 0, int unroll = 1, std::uint64_t n = 1000) {
    core::RungVisit rung;
    rung.kind = kind;
    rung.unroll = unroll;
    rung.floor_ns = floor_ns;
    const auto executions = static_cast<double>(n);
    for (const double t : per_execution_ns) {
        const double wall_ns = executions * t + executions / unroll * floor_ns;
        rung.samples.push_back({n, wall_ns, wall_ns});
    }
    return rung;
}

inline core::Visit visit_of(std::string name, int round, std::vector<core::RungVisit> rungs) {
    core::Visit visit;
    visit.case_name = std::move(name);
    visit.round = round;
    visit.process = round;
    visit.rungs = std::move(rungs);
    return visit;
}

/// `batches` values around a process level drawn around `truth_ns`; both spreads are relative (0.02: 2 %).
inline std::vector<double> noisy_batches(std::mt19937_64& random, double truth_ns, double between_processes_ratio,
                                         double within_process_ratio, int batches) {
    std::normal_distribution<double> normal;
    const double level_ns = truth_ns * (1 + between_processes_ratio * normal(random));
    std::vector<double> values;
    for (int i = 0; i < batches; ++i) values.push_back(level_ns * (1 + within_process_ratio * normal(random)));
    return values;
}

}  // namespace tare::stats
