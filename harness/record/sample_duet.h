// Test data: duets made from known truths and seeded noise, decided round by round as live ones are. Clocks count whole
// nanoseconds.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "harness/record/duet.h"
#include "harness/stats/simulate_duet.h"

namespace tare::record {

struct SampleCase {
    std::string name;
    double log_change = 0;
    double pair_sd = 0.008;
    double gross_ns = 300;
    Presence presence = Presence::kBoth;
    int fails_in_round = -1;
};

inline core::PairVisit sample_pair_visit(std::mt19937_64& random, const SampleCase& truth, int round, int quads = 24) {
    core::PairVisit visit;
    visit.case_name = truth.name;
    visit.round = visit.pair = round;
    visit.seed = random();
    visit.started_s = 1'700'000'000.123456 + 0.7 * round;
    visit.wall_s = 0.0512345678;
    visit.unroll = 10;
    visit.n = static_cast<std::uint64_t>(200'000 / truth.gross_ns / 10) * 10;
    std::normal_distribution<double> normal;
    const double pair = truth.log_change + truth.pair_sd * normal(random);
    const auto batch = [&](double log_ratio) {
        const double wall_ns =
            std::round(static_cast<double>(visit.n) * truth.gross_ns * std::exp(log_ratio + 0.01 * normal(random)));
        return core::Sample{visit.n, wall_ns, wall_ns + 12};
    };
    for (int i = 0; i < quads; ++i)
        visit.quads.push_back({(random() & 1) != 0, {batch(0), batch(0)}, {batch(pair), batch(pair)}});
    if (truth.fails_in_round == round) {
        visit.quads.resize(2);
        visit.errors = {{core::Side::kB, {core::ErrorCode::kWorkerDied, "the worker was killed by SIGSEGV", "run it"}}};
    }
    return visit;
}

/// Runs as `bench duet` does: each round all undecided cases in random order; ends after `rounds` or when none is left.
inline Duet sample_duet(std::uint64_t seed, const std::vector<SampleCase>& truths, int rounds = 36) {
    std::mt19937_64 random(seed);
    Duet duet;
    duet.context = core::Map{{"host_name", "probe"}, {"cpu_model", "Z"}, {"num_cpus", 2}};
    for (std::size_t side = 0; side < 2; ++side)
        duet.sides[side] = core::Map{
            {"subject", core::Map{{"python", side == 0 ? "/env/a/bin/python" : "/env/b/bin/python"},
                                  {"version", "3.11.2"},
                                  {"numpy_version", side == 0 ? "1.26.4" : "2.0.2"}}},
            {"host", "executable"},
            {"environment", side == 0 ? core::Value(core::Map{}) : core::Value(core::Map{{"OMP_NUM_THREADS", "1"}})}};
    duet.settings = core::Map{{"filter", "add|dot"}, {"injected_ratio", 0.0}, {"threads", 1}};
    duet.rules.seed = 0xffff'ffff'ffff'fff0ULL;
    for (const SampleCase& truth : truths)
        duet.cases.push_back({truth.name,
                              truth.presence == Presence::kOnlyB ? "" : "x + y",
                              truth.presence == Presence::kOnlyA ? "" : "x + y",
                              truth.presence,
                              {}});
    std::vector<stats::CaseState> states;
    for (int round = 0; round < rounds; ++round) {
        std::vector<std::size_t> undecided;
        for (std::size_t i = 0, next = 0; i < truths.size(); ++i) {
            if (truths[i].presence != Presence::kBoth) continue;
            if (states.empty() || !states[next].decided) undecided.push_back(i);
            ++next;
        }
        if (undecided.empty()) break;
        std::shuffle(undecided.begin(), undecided.end(), random);
        for (std::size_t order = 0; order < undecided.size(); ++order) {
            duet.visits.push_back(sample_pair_visit(random, truths[undecided[order]], round));
            duet.visits.back().order = static_cast<int>(order);
        }
        duet.ended_after_rounds = {round};
        states = stats::advance(std::move(states), series_of(duet), duet.rules, round, false);
    }
    return duet;
}

/// Every kind of row that tables and records must show.
inline Duet sample_duet(std::uint64_t seed = 1) {
    Duet duet = sample_duet(seed, {{"add[kind=float]", 0.0, 0.004, 16.6},
                                   {"add[kind=array,dtype=f8,n=8]", std::log(1.05)},
                                   {"add[kind=array,dtype=f8,n=1024]", std::log(0.9), 0.008, 812},
                                   {"dot[dtype=f8,n=8]", std::log(1.3), 0.01, 1660},
                                   {"dot[dtype=f8,n=64]", std::log(1.012), 0.05, 2400},
                                   {"old_only[n=1]", 0, 0.01, 100, Presence::kOnlyA},
                                   {"new_only[n=1]", 0, 0.01, 100, Presence::kOnlyB},
                                   {"crash[n=1]", 0, 0.01, 1'250'000.0 / 100, Presence::kBoth, 2},
                                   {"sum[dtype=f8,n=8]", 0, 0.004, 1800}});
    duet.visits.front().warnings = {"b wrote to stderr: \"careful\""};
    duet.problems = {{"suite/broken.py", "SyntaxError: invalid syntax"}};
    duet.page_cache = {{"/env/a/_multiarray_umath.so", "/env/b/_multiarray_umath.so"}, 36, 36, ""};
    return duet;
}

}  // namespace tare::record
