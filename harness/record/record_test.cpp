// At stake: 10 MB and no lost run. A record of the whole suite stays small, reads back as it was written, and no damage
// to a file crashes the reader; a write is whole or not there.
#include "harness/record/record.h"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>

#include "harness/core/clock.h"
#include "harness/record/full_size_run.h"
#include "harness/record/json.h"
#include "harness/record/record_text_for_test.h"
#include "harness/record/sample_run.h"
#include "harness/record/scratch_folder.h"
#include "harness/stats/quiet.h"

namespace tare::record {
namespace {

using testing::AllOf;
using testing::DoubleNear;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

/// Samples come back at 5 digits and facts in the first visit only; everything else is equal.
void expect_same_visit(const core::Visit& read, const core::Visit& written) {
    EXPECT_EQ(read.case_name, written.case_name);
    EXPECT_EQ(std::tie(read.round, read.process, read.order, read.seed),
              std::tie(written.round, written.process, written.order, written.seed));
    EXPECT_EQ(std::tie(read.started_s, read.wall_s, read.problems, read.warnings, read.error),
              std::tie(written.started_s, written.wall_s, written.problems, written.warnings, written.error));
    ASSERT_THAT(read.rungs, SizeIs(written.rungs.size()));
    for (std::size_t i = 0; i < read.rungs.size(); ++i) {
        EXPECT_EQ(read.rungs[i].kind, written.rungs[i].kind);
        EXPECT_EQ(read.rungs[i].unroll, written.rungs[i].unroll);
        ASSERT_THAT(read.rungs[i].samples, SizeIs(written.rungs[i].samples.size()));
        for (std::size_t k = 0; k < read.rungs[i].samples.size(); ++k) {
            EXPECT_EQ(read.rungs[i].samples[k].n, written.rungs[i].samples[k].n);
            EXPECT_NEAR(read.rungs[i].samples[k].wall_ns / written.rungs[i].samples[k].wall_ns, 1, 5.1e-5);
        }
    }
}

TEST(Record, ReadsBackAsWritten) {
    Record record = sample_run(3);
    record.interrupted = true;
    const auto read = parse_record(text_of(record), "x.json");
    ASSERT_TRUE(read) << read.error().what;
    EXPECT_EQ(read->context, record.context);
    EXPECT_EQ(read->settings, record.settings);
    EXPECT_EQ(read->problems, record.problems);
    EXPECT_TRUE(read->interrupted);
    EXPECT_FALSE(read->recovered);
    ASSERT_THAT(read->visits, SizeIs(record.visits.size()));
    for (std::size_t i = 0; i < record.visits.size(); ++i) expect_same_visit(read->visits[i], record.visits[i]);
}

TEST(Record, GivesTheSameEstimatesAfterReading) {
    Record record = sample_run(5);
    for (core::Visit& visit : record.visits)
        for (core::RungVisit& rung : visit.rungs)
            if (rung.kind == core::RungKind::kPython) rung.floor_ns += visit.round;
    const Summary written = summarize(record.visits);
    const Summary read = summarize(parse_record(text_of(record), "x.json")->visits);
    ASSERT_THAT(read.cases, SizeIs(written.cases.size()));
    for (std::size_t i = 0; i < written.cases.size(); ++i) {
        EXPECT_EQ(read.cases[i].name, written.cases[i].name);
        EXPECT_EQ(read.cases[i].tare_reason, written.cases[i].tare_reason);
        ASSERT_EQ(read.cases[i].tare_ns.has_value(), written.cases[i].tare_ns.has_value());
        if (!written.cases[i].tare_ns) continue;
        EXPECT_NEAR(read.cases[i].tare_ns->value / written.cases[i].tare_ns->value, 1, 6e-5);
        const stats::RungEstimate& gross = *written.cases[i].rung(core::RungKind::kPython);
        const stats::RungEstimate& gross_read = *read.cases[i].rung(core::RungKind::kPython);
        EXPECT_GT(gross.shared_error_ns, 0);
        EXPECT_NEAR(gross_read.shared_error_ns / gross.shared_error_ns, 1, 1e-4);
        EXPECT_NEAR(gross_read.time_ns.interval->high / gross.time_ns.interval->high, 1, 6e-5);
    }
    EXPECT_EQ(read.size_fits[0].break_even_n, written.size_fits[0].break_even_n);
}

TEST(Record, KeepsWhatTheReferencesTookAboveTheBest) {
    const Record record = with_references(sample_run(3));
    const auto read = parse_record(text_of(record), "x.json");
    ASSERT_TRUE(read) << read.error().what;
    EXPECT_EQ(best_references(read->context), (core::References{2000.5, 900.25}));
    for (std::size_t i = 0; i < record.visits.size(); ++i)
        for (std::size_t k = 0; k < record.visits[i].rungs.size(); ++k)
            for (std::size_t j = 0; j < record.visits[i].rungs[k].samples.size(); ++j) {
                const core::References& written = record.visits[i].rungs[k].samples[j].references;
                const core::References& back = read->visits[i].rungs[k].samples[j].references;
                const double percent = 100 * (written.l1_cycles / 2000.5 - 1);
                EXPECT_NEAR(100 * (back.l1_cycles / 2000.5 - 1), std::ceil(percent), 1e-9);
                EXPECT_NEAR(back.alu_cycles / written.alu_cycles, 1, 0.01);
            }
    const stats::CaseEstimate before = summarize(record).cases.front();
    const stats::CaseEstimate after = summarize(*read).cases.front();
    ASSERT_TRUE(before.quiet);
    EXPECT_EQ(before.quiet->kept_ratio, after.quiet->kept_ratio);
    EXPECT_EQ(before.quiet->busy, after.quiet->busy);
}

TEST(Record, ReadsReferencesThatWereTimedWithoutAChainBesideThem) {
    Record record = with_references(sample_run(3));
    const stats::CaseEstimate now = summarize(record).cases.front();
    core::Map context = record.context.as_map();
    context.insert_or_assign("references", core::Map{{"l1_best_ns", 2000.5},
                                                     {"alu_best_ns", 900.25},
                                                     {"l1_low_ns", 2400.6},
                                                     {"alu_low_ns", 900.25},
                                                     {"quiet_ratio", 0.5},
                                                     {"waited_s", 0}});
    record.context = std::move(context);
    const auto read = parse_record(text_of(record), "x.json");
    ASSERT_TRUE(read) << read.error().what;
    EXPECT_EQ(best_references(read->context), (core::References{2000.5, 900.25}));
    EXPECT_NEAR(summarize(*read).never_below_ratio, 0.2, 1e-9);
    EXPECT_EQ(summarize(*read).cases.front().quiet->kept_ratio, now.quiet->kept_ratio);
}

TEST(Record, SelectsTheSameBatchesAfterReadingAtEveryLimit) {
    Record record = with_references(sample_run(1));
    std::vector<core::Sample>& samples = record.visits.front().rungs.front().samples;
    samples.resize(10, samples.front());
    for (std::size_t i = 0; i < samples.size(); ++i)  // at a limit, just above and below it, beyond the characters
        samples[i].references.l1_cycles =
            2000.5 * std::vector{1.10, 1.1001, 1.0999, 1.03, 1.05, 1.2, 1.2001, 0.91, 5.0, 0.07}[i % 10];
    const core::References best = best_references(record.context);
    const std::vector<core::Sample> read =
        parse_record(text_of(record), "x.json")->visits.front().rungs.front().samples;
    ASSERT_THAT(read, SizeIs(samples.size()));
    for (std::size_t i = 0; i < samples.size(); ++i)
        for (const double limit : stats::kQuietLimits)
            EXPECT_EQ(is_quiet(read[i].references, best, limit), is_quiet(samples[i].references, best, limit))
                << samples[i].references.l1_cycles << " at " << limit;
}

TEST(Record, SaysItsTimesAtTheClockOfItsContext) {
    Record record = sample_run(3);
    for (core::Visit& visit : record.visits) visit.clock_ghz = 3;
    record.context = core::Map{{"references", core::Map{{"clock_ghz", 3}, {"at_clock_ghz", 3.3}}}};
    const Record read = *parse_record(text_of(record), "x.json");
    const Summary own = summarize(record.visits), at_one = summarize(read);
    EXPECT_EQ(at_one.at_clock_ghz, 3.3);
    EXPECT_EQ(at_one.clock_ghz, 3);
    EXPECT_NEAR(
        at_one.cases[0].time_ns(core::RungKind::kPython)->value / own.cases[0].time_ns(core::RungKind::kPython)->value,
        3 / 3.3, 1e-4);
}

TEST(Record, LeavesReferencesOutWhereNoBestIsKnown) {
    Record record = with_references(sample_run(1));
    record.context = sample_run(1).context;
    EXPECT_THAT(text_of(record), Not(HasSubstr("\"l1\"")));
}

TEST(Record, IsWhatGoogleBenchmarkReadersExpect) {
    const Json json = Json::parse(text_of(sample_run(2)));
    EXPECT_EQ(json["context"]["json_schema_version"], 1);
    EXPECT_EQ(json["context"]["library_build_type"], "release");
    EXPECT_EQ(json["context"]["host_name"], "probe");
    EXPECT_EQ(json["context"]["caches"][0]["size"], 49152);
    int failed = 0;
    for (const Json& row : json["benchmarks"]) {
        EXPECT_TRUE(row["real_time"].is_number() && row["cpu_time"].is_number()) << row;
        EXPECT_EQ(row["run_type"], "iteration");
        EXPECT_EQ(row["time_unit"], "ns");
        for (const auto& [key, value] : row.items()) EXPECT_TRUE(key == "tare" || value.is_primitive()) << key;
        failed += row.contains("error_occurred") ? 1 : 0;
    }
    EXPECT_EQ(failed, 1);
    EXPECT_EQ(json["benchmarks"][0]["name"], "add[kind=float]/python");
    EXPECT_EQ(json["benchmarks"][1]["name"], json["benchmarks"][0]["name"]) << "processes are repetitions";
    EXPECT_EQ(json["benchmarks"][1]["repetition_index"], 1);
}

TEST(Record, NeverWritesANumberThatIsNotFinite) {
    Record record = sample_run(2);
    record.context = core::Map{{"load", std::nan("")}};
    for (core::Visit& visit : record.visits) {
        visit.wall_s = std::numeric_limits<double>::infinity();
        for (core::RungVisit& rung : visit.rungs) rung.samples.front().cpu_ns = std::nan("");
    }
    for (core::Sample& sample : record.visits[0].rungs[0].samples) sample.wall_ns = std::nan("");
    const std::string text = text_of(record);
    EXPECT_THAT(text, AllOf(Not(HasSubstr(":nan")), Not(HasSubstr("inf,")), Not(HasSubstr("NaN"))));
    const Json json = Json::parse(text);
    for (const Json& row : json["benchmarks"]) EXPECT_TRUE(row["real_time"].is_number());
}

TEST(Record, GivesAReasonForEveryNullOfItsSummary) {
    Record record;
    record.visits = {stats::visit_of("x", 0, {stats::rung_of_values(core::RungKind::kPython, {5})}),
                     sample_visit("y", 0, 9)};
    record.visits[1].error = core::Error{core::ErrorCode::kTimeout, "took longer than 5 s", ""};
    const Json json = Json::parse(text_of(record));
    for (const Json& each : json["tare"]["cases"])
        for (const auto& [key, value] : each.items()) {
            if (!value.is_null() || key == "interval_basis") continue;
            EXPECT_FALSE(text_or(member(each["reasons"], key.c_str()), "").empty()) << each["case"] << ' ' << key;
        }
    EXPECT_EQ(json["tare"]["cases"][0]["reasons"]["gross_low_ns"], "a single value has no interval");
    EXPECT_EQ(json["tare"]["cases"][1]["reasons"]["gross_ns"], "took longer than 5 s");
}

TEST(Record, TellsWhyAFileIsNoRecord) {
    const std::string good = text_of(sample_run(1));
    const auto what = [](std::string_view text) { return parse_record(text, "x.json").error().what; };
    EXPECT_THAT(what(good.substr(0, good.size() / 2)),
                AllOf(HasSubstr("'x.json' is damaged at byte"), HasSubstr("of")));
    EXPECT_THAT(what(""), HasSubstr("damaged at byte"));
    EXPECT_THAT(what("[1,2]"), HasSubstr("no record of tare"));
    EXPECT_THAT(what(R"({"context":{},"benchmarks":[{"name":"BM_x","real_time":1.5}]})"),
                HasSubstr("written by Google Benchmark"));
    std::string newer = good;
    newer.replace(newer.find("\"format_version\":1"), 18, "\"format_version\":7");
    EXPECT_THAT(what(newer), HasSubstr("format version 7, this bench reads version 1"));
    EXPECT_EQ(parse_record(newer, "x.json").error().code, core::ErrorCode::kData);
}

TEST(Record, ToleratesUnknownMembers) {
    Json json = Json::parse(text_of(sample_run(2)));
    json["context"]["new"] = {{"a", 1}};
    json["tare"]["new"] = Json::array({1, 2});
    for (Json& row : json["benchmarks"]) row["tare"]["new"] = 12.5;
    for (Json& row : json["benchmarks"]) row["CYCLES"] = 12.5;
    const auto read = parse_record(json.dump(), "x.json");
    ASSERT_TRUE(read) << read.error().what;
    EXPECT_THAT(read->visits, SizeIs(14));
}

TEST(Record, SurvivesRandomDamage) {
    const std::string good = text_of(sample_run(1));
    std::mt19937_64 random(20'261'121);
    int accepted = 0;
    constexpr int kFiles = 3000;
    for (int i = 0; i < kFiles; ++i) {
        std::string text = good;
        for (int flips = 1 + static_cast<int>(random() % 3); flips > 0; --flips)
            text[random() % text.size()] = static_cast<char>(random());
        const auto read = parse_record(text, "x.json");
        if (!read) continue;
        ++accepted;
        EXPECT_FALSE(text_of(*read).empty());
    }
    EXPECT_GT(accepted, 0);  // a changed digit is a valid record
    EXPECT_LT(accepted, kFiles);
}

TEST(Record, RefusesNestingWithoutEnd) {
    EXPECT_FALSE(parse_record(std::string(1'000'000, '['), "x.json"));
    const std::string deep = R"({"context":{"tare":)" + std::string(1'000'000, '[') + std::string(1'000'000, ']') +
                             R"(},"benchmarks":[],"tare":{"format_version":1}})";
    EXPECT_THAT(parse_record(deep, "x.json").error().what, HasSubstr("nests deeper than 100"));
}

TEST(RecordFile, NamesThePathThatCannotBeRead) {
    const ScratchFolder folder;
    EXPECT_THAT(read_record(folder.path() / "none.json").error().what,
                AllOf(HasSubstr("none.json"), HasSubstr("No such file")));
    EXPECT_FALSE(read_record(folder.path()));
    std::ofstream(folder.path() / "empty.json");
    EXPECT_THAT(read_record(folder.path() / "empty.json").error().what, HasSubstr("empty"));
}

TEST(RecordFile, ReplacesTheOldOneAsAWhole) {
    const ScratchFolder folder;
    const auto path = folder.path() / "a.json";
    std::ofstream(path) << "old";
    const Record record = sample_run(1);
    ASSERT_TRUE(write_record(path, record, summarize(record.visits)));
    EXPECT_EQ(content_of(path), text_of(record));
    EXPECT_THAT(folder.names(), testing::ElementsAre("a.json"));
}

TEST(RecordFile, KeepsTheOldOneWhereTheDiskIsFull) {
    const ScratchFolder folder;
    const auto path = folder.path() / "a.json";
    std::ofstream(path) << "old";
    const Record record = full_size_run(1, 100, 2);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small{100'000, before.rlim_max};
    const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    const core::Status status = write_record(path, record, summarize(record.visits), "/store/journal/x.jsonl");
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, ignored);
    ASSERT_FALSE(status);
    EXPECT_THAT(status.error().what, AllOf(HasSubstr("a.json"), HasSubstr("File too large")));
    EXPECT_THAT(status.error().hint, HasSubstr("the journal '/store/journal/x.jsonl' holds all"));
    EXPECT_EQ(content_of(path), "old");
    EXPECT_THAT(folder.names(), testing::ElementsAre("a.json"));
}

TEST(RecordFile, SaysWhyItCannotBeWritten) {
    const ScratchFolder folder;
    const Record record = sample_run(1);
    EXPECT_THAT(write_record(folder.path() / "no/such/a.json", record, summarize(record.visits)).error().what,
                HasSubstr("No such file"));
    EXPECT_THAT(write_record(folder.path(), record, summarize(record.visits)).error().what,
                HasSubstr("Is a directory"));
    EXPECT_THAT(write_record("/dev/full", record, summarize(record.visits)).error().what, HasSubstr("No space left"));
    EXPECT_TRUE(write_record("/dev/null", record, summarize(record.visits))) << "not replaced by a file";
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(RecordFile, OfTheWholeSuiteStaysUnderTenMegabytes) {
    const ScratchFolder folder;
    const auto path = folder.path() / "full.json";
    const auto now_ms = [] { return static_cast<double>(core::wall_clock_ns()) * 1e-6; };
    const Record record = full_size_run(1);
    const double t0 = now_ms();
    const Summary summary = summarize(record.visits);
    const double t1 = now_ms();
    ASSERT_TRUE(write_record(path, record, summary));
    const double t2 = now_ms();
    const auto read = read_record(path);
    const double t3 = now_ms();
    ASSERT_TRUE(read);
    EXPECT_THAT(read->visits, SizeIs(record.visits.size()));
    const auto size_bytes = std::filesystem::file_size(path);
    EXPECT_LT(size_bytes, 10'000'000U);
    std::cout << "size " << size_bytes << " bytes; estimate " << t1 - t0 << " ms, write " << t2 - t1 << " ms, read "
              << t3 - t2 << " ms\n";  // for information: no time is tested
}

TEST(Json, RoundsToDigitsThatPrintShort) {
    EXPECT_EQ(rounded(312.456789, 5).dump(), "312.46");
    EXPECT_EQ(rounded(0.000123456789, 5).dump(), "0.00012346");
    EXPECT_EQ(rounded(123456789.0, 5).dump(), "123460000.0");
    EXPECT_EQ(rounded(-9.99999, 3).dump(), "-10.0");
    EXPECT_EQ(rounded(0, 3).dump(), "0.0");
    EXPECT_EQ(rounded(std::nan(""), 3).dump(), "null");
    EXPECT_EQ(rounded(std::numeric_limits<double>::infinity(), 3).dump(), "null");
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> exponent(-9, 15);
    int longer = 0;
    for (int i = 0; i < 100'000; ++i) {
        const double value = std::pow(10, exponent(random));
        EXPECT_NEAR(rounded(value, 5).get<double>() / value, 1, 5.1e-5);
        longer += rounded(value, 5).dump().size() > 17 ? 1 : 0;
    }
    EXPECT_LT(longer, 100);  // Grisu2, which the library prints with, misses the shortest text once in a thousand
}

}  // namespace
}  // namespace tare::record
