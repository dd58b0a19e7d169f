// Test data: a small run with every kind of row that tables and records must show. Exact values, no noise but the
// given.
#pragma once

#include "harness/record/record.h"
#include "harness/stats/simulate.h"

namespace tare::record {

inline core::Visit sample_visit(const std::string& name, int round, double gross_ns, double net_ns = 0,
                                double call_ns = 0) {
    using core::RungKind;
    const double drift = 1 + 0.01 * round;  // processes differ by 1 %
    const auto values = [&](double ns) {
        return std::vector<double>{
            ns * drift,         ns * drift * 1.002, ns * drift * 0.999, ns * drift * 1.001,
            ns * drift * 0.998, ns * drift * 1.003, ns * drift * 0.997};  // 7: the fewest but one with an interval
    };
    core::Visit visit =
        stats::visit_of(name, round, {stats::rung_of_values(RungKind::kPython, values(gross_ns), 4, 10)});
    if (call_ns > 0) visit.rungs.push_back(stats::rung_of_values(RungKind::kCall, values(call_ns), 1));
    if (net_ns > 0) {
        visit.rungs.push_back(stats::rung_of_values(RungKind::kNative, values(net_ns), 1));
        visit.rungs.push_back(stats::rung_of_values(RungKind::kCpp, values(net_ns * 2), 1));
    }
    visit.rungs.push_back(stats::rung_of_values(RungKind::kFloor, {4, 4, 4}));
    visit.seed = 0xffff'ffff'ffff'fff0ULL + static_cast<unsigned>(round);
    visit.started_s = 1'700'000'000.25 + round;
    visit.wall_s = 0.125;
    visit.clock_ghz = 3.25;
    return visit;
}

/// `rounds` rounds over add (float and three array sizes), matmul (with BLAS facts), a reduction whose native rung is
/// slower than gross, and a case that crashes in the last round.
inline Record sample_run(int rounds) {
    using core::RungKind;
    Record record;
    record.context = core::Map{
        {"host_name", "probe"},
        {"date", "2023-11-14T22:13:20+00:00"},
        {"num_cpus", 2},
        {"caches", core::List{core::Map{{"type", "Data"}, {"level", 1}, {"size_bytes", 49152}, {"num_sharing", 1}}}},
        {"subject", core::Map{{"numpy", "2.4.6"}, {"python", "3.11.2"}}}};
    record.settings = core::Map{{"rounds", rounds}, {"filter", "add|matmul"}};
    record.problems = {{"suite/broken.py", "SyntaxError: invalid syntax"}};
    for (int round = 0; round < rounds; ++round) {
        const std::size_t first = record.visits.size();
        record.visits.push_back(sample_visit("add[kind=float]", round, 16.6));
        record.visits.back().problems = {{RungKind::kNative, "a Python float has no kernel"}};
        for (const auto& [n, gross_ns] : {std::pair{"8", 304.0}, std::pair{"64", 332.0}, std::pair{"1024", 812.0}})
            record.visits.push_back(sample_visit("add[kind=array,dtype=f8,n=" + std::string(n) + "]", round, gross_ns,
                                                 (gross_ns - 300) * 0.9, gross_ns - 20));
        record.visits.push_back(sample_visit("matmul[dtype=f4,n=8]", round, 1660, 85.25, 1612));
        for (core::RungVisit& rung : record.visits.back().rungs)
            if (rung.kind == RungKind::kNative)
                rung.facts = core::Map{{"routine", "cblas_sgemm"},
                                       {"symbol", "scipy_cblas_sgemm64_"},
                                       {"library", "/env/numpy.libs/libscipy_openblas64_.so"},
                                       {"address", "libscipy_openblas64_.so+0x1a2b30"},
                                       {"check", "equals the address in NumPy's GOT"}};
        record.visits.push_back(sample_visit("sum[dtype=f8,n=8]", round, 1800, 2400));
        record.visits.push_back(sample_visit("crash[n=1]", round, 1'250'000));
        record.visits.back().warnings = {"wrote to stderr: \"careful\""};
        if (round == rounds - 1)
            record.visits.back().error =
                core::Error{core::ErrorCode::kWorkerDied, "the worker was killed by SIGSEGV", ""};
        for (std::size_t i = first; i < record.visits.size(); ++i) record.visits[i].order = static_cast<int>(i - first);
    }
    return record;
}

/// The same on a machine whose neighbour took part of the core in two batches of three.
inline Record with_references(Record record) {
    core::Map context = record.context.as_map();
    context.insert_or_assign("references", core::Map{{"l1_best_cycles", 2000.5},
                                                     {"alu_best_cycles", 900.25},
                                                     {"l1_low_cycles", 2001},
                                                     {"alu_low_cycles", 900.25},
                                                     {"clock_ghz", 3.2},
                                                     {"quiet_ratio", 0.34},
                                                     {"waited_s", 1.5}});
    record.context = std::move(context);
    for (core::Visit& visit : record.visits)
        for (core::RungVisit& rung : visit.rungs)
            for (std::size_t i = 0; i < rung.samples.size(); ++i)
                rung.samples[i].references = i % 3 == 0 ? core::References{2020, 901} : core::References{3100, 1000};
    return record;
}

}  // namespace tare::record
