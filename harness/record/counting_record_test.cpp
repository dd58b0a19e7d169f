// At stake: 2 to 1 and no lost count. A record with eleven counters is less than twice as large as one without, reads
// back as it was written, stays what Google Benchmark's readers expect, and never shows a 0 for what was not counted.
#include <gmock/gmock.h>

#include <limits>
#include <random>

#include "harness/record/counter_columns.h"
#include "harness/record/counting_json.h"
#include "harness/record/full_size_run.h"
#include "harness/record/journal.h"
#include "harness/record/json.h"
#include "harness/record/record_text_for_test.h"
#include "harness/record/sample_counters.h"
#include "harness/record/scratch_folder.h"
#include "harness/record/visit_json.h"

namespace tare::record {
namespace {

using core::CounterState;
using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

Record read_back(const Record& record) {
    auto read = parse_record(text_of(record), "x.json");
    EXPECT_TRUE(read) << read.error().what;
    return *std::move(read);
}

/// Counts come back at 5 digits, net instructions at 7, lowest and floor at one less; gross as net + floor.
void expect_same_counts(const std::vector<core::RungCount>& read, const std::vector<core::RungCount>& written) {
    ASSERT_THAT(read, SizeIs(written.size()));
    const auto expect_near = [](double a, double b, double digits) { EXPECT_NEAR(a, b, std::abs(b) * digits + 1e-15); };
    for (std::size_t i = 0; i < read.size(); ++i) {
        EXPECT_EQ(read[i].counter, written[i].counter);
        EXPECT_EQ(read[i].batches, written[i].batches);
        EXPECT_EQ(read[i].counted_ratio, written[i].counted_ratio);
        EXPECT_EQ(read[i].instructions.has_value(), written[i].instructions.has_value());
        const double digits = written[i].counter == 1 ? 1e-6 : 1e-4;  // instructions
        expect_near(read[i].net, written[i].net, digits);
        expect_near(read[i].lowest_net, written[i].lowest_net, 10 * digits);
        expect_near(read[i].floor, written[i].floor, 1e-3);
        expect_near(read[i].gross, written[i].gross, 1e-4);
        if (written[i].instructions) expect_near(*read[i].instructions, *written[i].instructions, 1e-4);
    }
}

void expect_reads_back(const Record& record) {
    const Record read = read_back(record);
    EXPECT_EQ(read.counting, record.counting);
    ASSERT_THAT(read.visits, SizeIs(record.visits.size()));
    for (std::size_t i = 0; i < record.visits.size(); ++i) {
        ASSERT_THAT(read.visits[i].rungs, SizeIs(record.visits[i].rungs.size()));
        for (std::size_t k = 0; k < record.visits[i].rungs.size(); ++k) {
            SCOPED_TRACE(record.visits[i].case_name);
            expect_same_counts(read.visits[i].rungs[k].counts, record.visits[i].rungs[k].counts);
        }
    }
}

TEST(CountingRecord, ReadsBackAsWritten) {
    expect_reads_back(run_with_pmu(3));
    expect_reads_back(run_without_pmu(2));
    expect_reads_back(run_with_doubtful_counters(3));
}

TEST(CountingRecord, ReadsBackProcessesThatDiffer) {
    Record record = run_with_pmu(4);
    record.counting.processes[2].counters.outcomes[3] = {CounterState::kUnavailable, kNoPmu, 0};
    record.counting.processes[3].counters.passes = {{0}, {1, 2}};
    record.counting.requests[5].problem = core::CounterProblem{"", "not counted per thread", "use perf stat -a"};
    record.counting.requests[4].config1 = 0xffff'ffff'ffff'ffff;
    record.counting.requests[4].config2 = 7;
    expect_reads_back(record);
}

TEST(CountingRecord, ReadsBackAGrossThatIsNoSum) {
    Record record = run_with_pmu(1);
    record.visits[1].rungs[0].counts[0].gross *= 2;
    expect_reads_back(record);
}

TEST(CountingRecord, ReadsBackTheInstructionsOfEachPass) {
    Record record = run_with_pmu(2);
    record.visits[1].rungs[0].counts[4].instructions = 1234.5;  // its pass saw other instructions
    record.visits[2].rungs[0].counts[8].instructions.reset();   // its pass counted none
    for (core::RungCount& count : record.visits[3].rungs[0].counts) count.instructions.reset();
    for (core::RungCount& count : record.visits[4].rungs[0].counts) count.instructions = 77;
    expect_reads_back(record);
}

TEST(CountingRecord, GivesTheSameTablesAfterReading) {
    const Record record = run_with_doubtful_counters(3);
    const Summary written = summarize(record), read = summarize(read_back(record));
    EXPECT_EQ(read.counters, written.counters);
    for (std::size_t i = 0; i < written.cases.size(); ++i) {
        const auto* a = written.cases[i].rung(core::RungKind::kPython);
        const auto* b = read.cases[i].rung(core::RungKind::kPython);
        ASSERT_EQ(a->counts.size(), b->counts.size());
        EXPECT_NEAR(*b->instructions_per_cycle / *a->instructions_per_cycle, 1, 1e-4);
    }
}

TEST(CountingRecord, HoldsCountersAsGoogleBenchmarkDoes) {
    const Json json = Json::parse(text_of(run_with_doubtful_counters(2)));
    for (const Json& row : json["benchmarks"]) {
        EXPECT_TRUE(row["cpu_time"].is_number());
        for (const auto& [key, value] : row.items())
            EXPECT_TRUE(key == "tare" || (value.is_primitive() && !value.is_null())) << key;
        if (row.contains("error_occurred")) continue;
        EXPECT_TRUE(row["cycles"].is_number()) << row["name"];
        EXPECT_TRUE(row["l1d_misses"].is_number()) << "partial";
        EXPECT_FALSE(row.contains("llc_misses")) << "suspect";
        EXPECT_FALSE(row.contains("dtlb_walks")) << "unavailable";
    }
    const Json& first = json["benchmarks"][0];
    EXPECT_EQ(first["cycles"], 44.82);
    EXPECT_EQ(first["counted_instructions"], 136.95);
    EXPECT_EQ(first["tare"]["counters"]["net"], Json::parse("[null,null,null,null,null,null,0,null,null,null,null]"));
}

TEST(CountingRecord, NamesNoCounterAsAMemberOfARow) {
    Record record = run_with_pmu(1);
    record.counting.requests[0].name = "cpu_time";
    record.counting.requests[1].name = "threads";
    record.counting.requests[2].name = "tare";
    const Json row = Json::parse(text_of(record))["benchmarks"][1];
    EXPECT_EQ(row["cpu_time"], row["real_time"]) << "the CPU time of the batches, as without counters";
    EXPECT_EQ(row["threads"], 1);
    EXPECT_TRUE(row["counted_cpu_time"].is_number() && row["counted_tare"].is_number());
    expect_reads_back(record);
}

TEST(CounterColumns, AreUniqueWhateverEventsAreCalled) {
    EXPECT_THAT(
        column_names(std::vector<std::string>{"cycles", "instructions", "cpu_time", "cycles_low", "gross_ns"}),
        ElementsAre("cycles", "counted_instructions", "counted_cpu_time", "counted_cycles_low", "counted_gross_ns"));
    EXPECT_THAT(column_names(std::vector<std::string>{"x_state", "x", "x", "counted_x"}),
                ElementsAre("x_state", "counted_x", "counted_counted_x", "counted_counted_counted_x"));
    EXPECT_THAT(column_names(std::vector<std::string>{"name", "skx::L1D:REPLACEMENT", "r412e"}),
                ElementsAre("counted_name", "skx::L1D:REPLACEMENT", "r412e"));
}

TEST(CountingRecord, SaysWhyForEveryCaseAndCounterWithoutAValue) {
    const Json json = Json::parse(text_of(run_without_pmu(2)));
    int nulls = 0;
    for (const Json& each : json["tare"]["cases"]) {
        EXPECT_TRUE(each["instructions_per_cycle"].is_null());
        EXPECT_EQ(each["reasons"]["instructions_per_cycle"], "cycles: ENOENT: this machine exposes no PMU");
        for (const auto& [column, counter] : each["counters"].items()) {
            EXPECT_EQ(counter["value"].is_null(), counter["state"] == "unavailable") << column;
            EXPECT_EQ(counter.contains("reason"), counter["state"] != "measured") << column;
            const bool explained =
                counter["value"].is_number() || counter["reason"] == "ENOENT: this machine exposes no PMU";
            EXPECT_TRUE(explained) << counter;
            nulls += counter["value"].is_null() ? 1 : 0;
        }
    }
    EXPECT_EQ(nulls, 7 * 8);
    const Json& cycles = json["tare"]["counters"][0];
    EXPECT_EQ(cycles["state"], "unavailable");
    EXPECT_EQ(cycles["errno"], "ENOENT");
    EXPECT_EQ(cycles["hint"], kNoPmu.hint);
    EXPECT_THAT(json["tare"]["counters"], SizeIs(kSampleCounters));
}

TEST(CountingRecord, WritesNoCountThatIsNotFinite) {
    Record record = run_with_pmu(2);
    for (core::Visit& visit : record.visits)
        for (core::RungVisit& rung : visit.rungs) {
            rung.counts[0].net = std::numeric_limits<double>::quiet_NaN();
            rung.counts[1].lowest_net = std::numeric_limits<double>::infinity();
            rung.counts[2].instructions = std::numeric_limits<double>::quiet_NaN();
        }
    const Json json = Json::parse(text_of(record));
    for (const Json& row : json["benchmarks"]) EXPECT_FALSE(row.contains("cycles"));
    EXPECT_TRUE(json["tare"]["cases"][1]["counters"]["cycles"]["value"].is_null());
    const Record read = read_back(record);
    EXPECT_THAT(read.visits[1].rungs[0].counts, SizeIs(kSampleCounters - 2));
    EXPECT_FALSE(read.visits[1].rungs[0].counts[0].instructions);
}

TEST(CountingRecord, WithoutCountersIsAsItWasBeforeThereWereAny) {
    const std::string text = text_of(sample_run(2));
    EXPECT_THAT(text, AllOf(Not(HasSubstr("count")), Not(HasSubstr("instructions"))));
}

TEST(CountingRecord, PassesOverCountsOfNoRequest) {
    Record record = run_with_pmu(1);
    record.visits[0].rungs[0].counts[3].counter = 1'000'000;
    EXPECT_THAT(read_back(record).visits[0].rungs[0].counts, SizeIs(kSampleCounters - 1));
}

TEST(CountingRecord, SurvivesRandomDamage) {
    const std::string good = text_of(run_with_doubtful_counters(1));
    std::mt19937_64 random(20'261'121);
    int accepted = 0;
    constexpr int kFiles = 500;
    for (int i = 0; i < kFiles; ++i) {
        std::string text = good;
        for (int flips = 1 + static_cast<int>(random() % 3); flips > 0; --flips)
            text[random() % text.size()] = static_cast<char>(random());
        const auto read = parse_record(text, "x.json");
        if (!read) continue;
        ++accepted;
        EXPECT_FALSE(text_of(*read).empty());
    }
    EXPECT_GT(accepted, 0);
    EXPECT_LT(accepted, kFiles);
}

/// 800 cases, 5 rungs, 5 processes, 11 counters in two passes, with noise in every digit.
TEST(CountingRecord, OfTheWholeSuiteStaysBelowTwiceItsSize) {
    Record record = full_size_run(1, 800, 5);
    const double plain_bytes = static_cast<double>(text_of(record).size());
    record.counting = run_with_pmu(5).counting;
    std::mt19937_64 random(1);
    std::normal_distribution<double> normal;
    for (core::Visit& visit : record.visits)
        for (core::RungVisit& rung : visit.rungs) {
            const double ns = 200 * (1 + 0.5 * std::abs(normal(random)));
            const double floor_ns = rung.kind == core::RungKind::kFloor ? 0 : 12.3;
            rung.counts = sample_counts(ns, floor_ns, visit.round, std::vector<bool>(kSampleCounters, true));
            const double of_pass[2] = {rung.counts[1].net, rung.counts[1].net * (1 + 1e-5 * normal(random))};
            for (core::RungCount& count : rung.counts) {
                if (count.counter != 1) count.net *= 1 + 0.01 * normal(random);
                count.floor *= 1 + 0.01 * normal(random);
                count.lowest_net = count.net * (1 - 0.01 * std::abs(normal(random)));
                count.gross = count.net + count.floor;
                count.instructions = of_pass[count.batches == 3 ? 1 : 0];
            }
        }
    const double counted_bytes = static_cast<double>(text_of(record).size());
    EXPECT_LT(counted_bytes, 2 * plain_bytes);
    std::cout << "size " << plain_bytes << " bytes without, " << counted_bytes
              << " with 11 counters: " << counted_bytes / plain_bytes << " to 1\n";
}

/// A journal as after kill -9.
std::filesystem::path journal_of(const std::filesystem::path& folder, const Record& record) {
    auto journal = Journal::create(folder, "run", record);
    EXPECT_TRUE(journal);
    for (const core::CountingProcess& process : record.counting.processes) EXPECT_TRUE(journal->append(process));
    for (const core::Visit& visit : record.visits) EXPECT_TRUE(journal->append(visit));
    return journal->path();
}

TEST(CountingJournal, HoldsAllThatTheRunKnewExactly) {
    for (Record record : {run_with_pmu(2), run_without_pmu(2), run_with_doubtful_counters(2)}) {
        const ScratchFolder folder;
        record.visits[0].rungs[0].counts[0].net = 0.1 + 0.2;
        record.counting.requests[0].config = 0xffff'ffff'ffff'ffff;
        record.recovered = record.interrupted = true;
        const auto read = parse_journal(content_of(journal_of(folder.path(), record)), "run.jsonl");
        ASSERT_TRUE(read) << read.error().what;
        EXPECT_EQ(*read, record);
    }
}

TEST(CountingJournal, KeepsACountThatIsNotFinite) {
    core::Visit visit = run_with_pmu(1).visits[1];
    visit.rungs[0].counts[0].net = std::numeric_limits<double>::infinity();
    visit.rungs[0].counts[1].instructions.reset();
    const auto back = visit_from_json(Json::parse(compact(visit_to_json(visit))));
    ASSERT_TRUE(back);
    EXPECT_TRUE(std::isnan(back->rungs[0].counts[0].net));
    EXPECT_FALSE(back->rungs[0].counts[1].instructions);
}

TEST(CountingJournal, ListsDamagedLinesAndKeepsTheOthers) {
    const ScratchFolder folder;
    const Record record = run_with_pmu(2);
    const std::string good = content_of(journal_of(folder.path(), record));
    const auto problems_with = [&](const std::string& piece, const std::string& other) {
        std::string text = good;
        const std::size_t at = text.find(piece, text.find('\n'));
        EXPECT_NE(at, std::string::npos) << piece;
        text.replace(at, piece.size(), other);
        const auto read = parse_journal(text, "run.jsonl");
        EXPECT_TRUE(read);
        EXPECT_EQ(read->visits.size() + read->counting.processes.size(),
                  record.visits.size() + record.counting.processes.size() - 1);
        return read->problems.back().error;
    };
    EXPECT_EQ(problems_with("\"measured\"", "\"excellent\""), "line 2 of the journal is damaged");
    EXPECT_EQ(problems_with("\"passes\":[[0,", "\"passes\":[[99,"), "line 2 of the journal is damaged");
    EXPECT_EQ(problems_with("\"passes\":", "\"pauses\":"), "line 2 of the journal is damaged");
    EXPECT_EQ(problems_with("\"outcomes\":[", "\"outcomes\":[{\"state\":\"measured\"},"),
              "line 2 of the journal is damaged")
        << "one more than was asked for";
    EXPECT_EQ(problems_with("\"counts\":[[0,", "\"counts\":[[11,"), "line 4 of the journal is damaged")
        << "a counter that nobody asked for";
    EXPECT_EQ(problems_with("\"counts\":[[0,", "\"counts\":[[-1,"), "line 4 of the journal is damaged");
    EXPECT_EQ(problems_with("\"counts\":[[", "\"counts\":[[],["), "line 4 of the journal is damaged");
}

TEST(CountingJournal, SurvivesRandomDamage) {
    const ScratchFolder folder;
    const std::string good = content_of(journal_of(folder.path(), run_with_doubtful_counters(1)));
    std::mt19937_64 random(20'261'121);
    int accepted = 0;
    for (int i = 0; i < 500; ++i) {
        std::string text = good;
        for (int flips = 1 + static_cast<int>(random() % 4); flips > 0; --flips)
            text[random() % text.size()] = static_cast<char>(random());
        const auto read = parse_journal(text, "run.jsonl");
        if (!read) continue;
        ++accepted;
        EXPECT_FALSE(text_of(*read).empty());
    }
    EXPECT_GT(accepted, 250);
}

}  // namespace
}  // namespace tare::record
