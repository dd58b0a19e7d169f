// record_samples FOLDER: writes records for checks by other programs (the schema, Google Benchmark's compare.py): a
// small one with every kind of row, one of a single process, an empty one, two of full size, four with counters,
// two with ledgers, two with profiles, and duets.
#include <iostream>

#include "harness/record/full_size_ledgers.h"
#include "harness/record/full_size_run.h"
#include "harness/record/sample_case_profiles.h"
#include "harness/record/sample_counters.h"
#include "harness/record/sample_duet.h"

int main(int count, char** arguments) {
    using namespace tare::record;
    if (count != 2) {
        std::cerr << "usage: record_samples FOLDER\n";
        return 2;
    }
    Record interrupted = sample_run(2);
    interrupted.interrupted = true;
    Record empty;
    empty.recovered = true;
    Record with_ledgers = sample_run(2);
    with_ledgers.ledgers = {add_ledger(), syrk_ledger(), python_ledger()};
    with_ledgers.ledger_problems = {{"sum[dtype=f8,n=8]", {tare::core::ErrorCode::kTimeout, "took too long", ""}}};
    Record differing = run_with_doubtful_counters(3);  // and a process that could count less than the others
    differing.counting.processes[1].counters.outcomes[3] = {tare::core::CounterState::kUnavailable, kNoPmu, 0};
    Record unborn;  // the first worker did not start
    unborn.counting.requests = sample_requests();
    unborn.counting.requests[6].problem = tare::core::CounterProblem{"", "not counted per thread on this CPU", ""};
    Record with_profiles = with_ledgers;
    with_profiles.profiles = {add_profile(), matmul_profile()};
    with_profiles.profile_problems = {{"sum[dtype=f8,n=8]", {tare::core::ErrorCode::kEnvironment, "EPERM", ""}}};
    Record full_profiles;
    full_profiles.profiles = full_size_profiles(1);
    Record full_ledgers;
    full_ledgers.ledgers = full_size_ledgers(1);
    for (const auto& [name, record] :
         {std::pair{"ledgers.json", with_ledgers}, std::pair{"full_ledgers.json", full_ledgers},
          std::pair{"profiles.json", with_profiles}, std::pair{"full_profiles.json", full_profiles},
          std::pair{"counters.json", run_with_pmu(3)}, std::pair{"counters_no_pmu.json", run_without_pmu(1)},
          std::pair{"counters_doubtful.json", differing}, std::pair{"counters_unborn.json", unborn},
          std::pair{"quiet.json", with_references(sample_run(3))}, std::pair{"small.json", sample_run(3)},
          std::pair{"one_process.json", sample_run(1)}, std::pair{"interrupted.json", interrupted},
          std::pair{"empty.json", empty}, std::pair{"full_a.json", full_size_run(1)},
          std::pair{"full_b.json", full_size_run(2)}}) {
        const auto status = write_record(std::filesystem::path(arguments[1]) / name, record, summarize(record));
        if (!status) {
            std::cerr << status.error().what << '\n';
            return 2;
        }
    }
    Duet injected = sample_duet(2);
    injected.settings = tare::core::Map{{"injected_ratio", 0.05}};
    injected.visits[0].quads[0].a[0].cpu_ns = -0.5;  // no clock gives that; the schema allows it
    injected.visits[1].quads.clear();
    Duet blank;
    blank.recovered = true;
    for (const auto& [name, duet] : {std::pair{"duet.json", sample_duet()}, std::pair{"duet_injected.json", injected},
                                     std::pair{"duet_empty.json", blank}}) {
        const auto status = write_duet(std::filesystem::path(arguments[1]) / name, duet, decide(duet));
        if (!status) {
            std::cerr << status.error().what << '\n';
            return 2;
        }
    }
    return 0;
}
