// Test data: a full-size run (700 cases, 5 rungs, 5 processes, 20 batches) with seeded noise and realistic texts, on a
// machine that is busy half of the time.
#pragma once

#include <fmt/format.h>

#include "harness/record/record.h"
#include "harness/stats/simulate.h"

namespace tare::record {

inline Record full_size_run(unsigned seed, int cases = 700, int rounds = 5) {
    std::mt19937_64 random(seed);
    Record record;
    record.context = core::Map{{"host_name", "probe"},
                               {"num_cpus", 2},
                               {"references", core::Map{{"l1_best_cycles", 2000.0},
                                                        {"alu_best_cycles", 900.0},
                                                        {"l1_low_cycles", 2000.0},
                                                        {"alu_low_cycles", 900.0},
                                                        {"clock_ghz", 3.2},
                                                        {"quiet_ratio", 0.5},
                                                        {"waited_s", 0.0}}}};
    record.settings = core::Map{{"rounds", rounds}};
    for (int round = 0; round < rounds; ++round)
        for (int i = 0; i < cases; ++i) {
            const double gross_ns = 200 + 7 * (i % 97);
            core::Visit visit =
                stats::visit_of(fmt::format("operation_{}[kind=array,dtype=f8,n={}]", i / 7, 1 << (i % 7)), round, {});
            visit.order = i;
            visit.seed = random();
            visit.started_s = 1'700'000'000 + 0.2 * i;
            visit.wall_s = 0.2;
            for (const core::RungKind kind : core::kAllRungs) {
                const bool python = kind == core::RungKind::kPython;
                visit.rungs.push_back(stats::rung_of_values(kind,
                                                            stats::noisy_batches(random, gross_ns, 0.02, 0.01, 20),
                                                            python ? 12.3456 : 1.5, python ? 10 : 1, 640));
                for (core::Sample& sample : visit.rungs.back().samples) {
                    const double slowed = random() % 2 == 0 ? 1.4 : 1.0;
                    sample.references.l1_cycles = 2000 * (slowed + 0.001 * static_cast<double>(random() % 50));
                    sample.references.alu_cycles = 900 * (1 + 0.001 * static_cast<double>(random() % 50));
                }
                if (kind == core::RungKind::kNative)
                    visit.rungs.back().facts =
                        core::Map{{"routine", "add[dd->d]"},
                                  {"library",
                                   "/env/lib/python3.11/site-packages/numpy/_core/"
                                   "_multiarray_umath.cpython-311-x86_64-linux-gnu.so"},
                                  {"address", "_multiarray_umath.cpython-311-x86_64-linux-gnu.so+0x1a2b30"}};
            }
            record.visits.push_back(std::move(visit));
        }
    return record;
}

}  // namespace tare::record
