// What keeping a run costs: the synced line of each visit, and summary, writing and reading of a record of full size
// (700 cases, 5 rungs, 5 processes, 20 batches each; made up, with seeded noise).
#include <benchmark/benchmark.h>

#include <filesystem>

#include "harness/gbench/selfbench.h"
#include "harness/record/full_size_run.h"
#include "harness/record/journal.h"
#include "harness/record/scratch_folder.h"

namespace tare::gbench {

namespace {

constexpr unsigned kSeed = 1;

void journal_a_visit(benchmark::State& state) {
    const record::ScratchFolder folder;
    const record::Record run = record::full_size_run(kSeed, 1, 1);
    core::Expected<record::Journal> journal = record::Journal::create(folder.path(), "selfbench", run);
    if (!journal) return state.SkipWithError(journal.error().what.c_str());
    for (auto unused : state)
        if (const core::Status s = journal->append(run.visits.front()); !s) {
            state.SkipWithError(s.error().what.c_str());
            break;
        }
}

void summarize(benchmark::State& state) {
    const record::Record run = record::full_size_run(kSeed);
    for (auto unused : state) benchmark::DoNotOptimize(record::summarize(run.visits));
}

void write(benchmark::State& state) {
    const record::ScratchFolder folder;
    const std::filesystem::path path = folder.path() / "record.json";
    const record::Record run = record::full_size_run(kSeed);
    const record::Summary summary = record::summarize(run.visits);
    for (auto unused : state)
        if (const core::Status s = record::write_record(path, run, summary); !s) {
            state.SkipWithError(s.error().what.c_str());
            return;
        }
    state.counters["bytes"] = static_cast<double>(std::filesystem::file_size(path));
}

void read(benchmark::State& state) {
    const record::ScratchFolder folder;
    const std::filesystem::path path = folder.path() / "record.json";
    const record::Record run = record::full_size_run(kSeed);
    if (const core::Status s = record::write_record(path, run, record::summarize(run.visits)); !s)
        return state.SkipWithError(s.error().what.c_str());
    for (auto unused : state) {
        const core::Expected<record::Record> again = record::read_record(path);
        if (!again || again->visits.size() != run.visits.size()) {
            state.SkipWithError(again ? "visits were lost" : again.error().what.c_str());
            break;
        }
    }
}

}  // namespace

void register_record_benchmarks() {
    const auto add = [](const char* name, void (*function)(benchmark::State&), benchmark::TimeUnit unit) {
        benchmark::RegisterBenchmark(name, function)->UseRealTime()->Unit(unit);
    };
    add("record/journal_a_visit", journal_a_visit, benchmark::kMicrosecond);
    add("record/summarize", summarize, benchmark::kMillisecond);
    add("record/write", write, benchmark::kMillisecond);
    add("record/read", read, benchmark::kMillisecond);
}

}  // namespace tare::gbench
