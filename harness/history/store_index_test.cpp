// At stake: 1,000 records answered in 0.2 s, and never an answer from a stale, foreign or half-written index.
#include "harness/history/store_index.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <sstream>
#include <thread>

#include "harness/history/index_layout.h"
#include "harness/record/sample_run.h"
#include "harness/record/scratch_folder.h"

namespace tare::history {
namespace {

using record::ScratchFolder;
using record::Store;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct Made {
    double date_s = 0;
    double gross_ns = 100;
    std::string version = "2.4.6";
    std::string fingerprint = "aaaa000000000000";
    int rounds = 3;
    double at_clock_ghz = 0;
};

std::filesystem::path write_run(const Store& store, const Made& made, const std::string& case_name = "add[n=8]") {
    record::Record run;
    run.context = core::Map{{"date", "2023-11-14T22:13:20+00:00"},
                            {"fingerprint", made.fingerprint},
                            {"numpy", core::Map{{"version", made.version}}}};
    run.settings = core::Map{{"threads", 1}};
    for (int round = 0; round < made.rounds; ++round)
        run.visits.push_back(record::sample_visit(case_name, round, made.gross_ns));
    core::Map context = run.context.as_map();
    context.insert_or_assign("date",
                             "2023-11-14T22:13:" + std::to_string(10 + static_cast<int>(made.date_s)) + "+00:00");
    if (made.at_clock_ghz > 0) context.insert_or_assign("references", core::Map{{"at_clock_ghz", made.at_clock_ghz}});
    run.context = std::move(context);
    std::filesystem::create_directories(store.records());
    static std::uint32_t number = 0;
    const std::filesystem::path path = record_path(store, record::run_name(1'700'000'000 + made.date_s, ++number));
    EXPECT_TRUE(record::write_record(path, run, record::summarize(run)));
    return path;
}

StoreIndex open(const Store& store) {
    auto index = StoreIndex::open(store);
    EXPECT_TRUE(index) << index.error().what;
    return *std::move(index);
}

std::vector<core::Series> series(StoreIndex& index, const SeriesQuery& query = {}) {
    auto found = index.series(query);
    EXPECT_TRUE(found) << found.error().what;
    return found.value_or(std::vector<core::Series>{});
}

std::size_t points(const Store& store) {
    StoreIndex index = open(store);
    std::size_t count = 0;
    for (const core::Series& each : series(index)) count += each.points.size();
    return count;
}

class StoreIndexTest : public testing::Test {
  protected:
    ScratchFolder folder_;
    Store store_{folder_.path() / "store"};
    std::filesystem::path index_ = store_.root / kIndexFile;
};

TEST_F(StoreIndexTest, OfAFolderThatDoesNotExistIsEmptyAndMakesNone) {
    StoreIndex index = open(store_);
    EXPECT_THAT(*index.records(), IsEmpty());
    EXPECT_THAT(series(index), IsEmpty());
    EXPECT_FALSE(std::filesystem::exists(store_.root));
}

TEST_F(StoreIndexTest, GivesPointsByDateWithTheirSurroundings) {
    write_run(store_, {.date_s = 20, .gross_ns = 200, .version = "2.1.0"});
    write_run(store_, {.date_s = 10, .gross_ns = 100, .version = "2.0.0"});
    StoreIndex index = open(store_);
    const auto found = series(index);
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0].key.case_name, "add[n=8]");
    EXPECT_EQ(found[0].key.machine, "aaaa000000000000");
    EXPECT_EQ(found[0].key.environment, "1 thread");
    ASSERT_THAT(found[0].points, SizeIs(2));
    EXPECT_EQ(found[0].points[0].version, "2.0.0");
    EXPECT_EQ(found[0].points[1].version, "2.1.0");
    EXPECT_NEAR(found[0].points[1].value / found[0].points[0].value, 2, 0.2);
    EXPECT_EQ(found[0].points[0].processes, 3);
    EXPECT_TRUE(found[0].points[0].low && found[0].points[0].high);
    EXPECT_THAT(*index.metrics(), ElementsAre("gross"));
}

/// A machine's usual clock that is found to be another moves no series. All of these records were timed alike, at 3.25
/// GHz; those from before a record said its clock, and one too far from most, stay as they were.
TEST_F(StoreIndexTest, PutsTimesAtTheClockOfTheOldestRecordThatIsNearMost) {
    double date_s = 0;
    for (const double at_clock_ghz : {0.0, 2.4, 3.0, 2.8, 3.1})
        write_run(store_, {++date_s, 100, "2.4.6", "aaaa000000000000", 3, at_clock_ghz});
    StoreIndex index = open(store_);
    const auto found = series(index);
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0].at_clock_ghz, 3);
    EXPECT_EQ(found[0].at_own_clock, 2U);
    ASSERT_THAT(found[0].points, SizeIs(5));
    const core::SeriesPoint& as_timed = found[0].points[0];
    EXPECT_NEAR(found[0].points[1].value / as_timed.value, 1, 1e-5) << "2.4 is too far from 3.25, too";
    for (const std::size_t i : {2U, 3U, 4U}) {
        const core::SeriesPoint& point = found[0].points[i];
        EXPECT_NEAR(point.value / as_timed.value, 3.25 / 3, 1e-5);
        EXPECT_NEAR(*point.low / *as_timed.low, 3.25 / 3, 1e-5);
        EXPECT_NEAR(*point.high / *as_timed.high, 3.25 / 3, 1e-5);
    }
}

/// And a case that is measured since the clock is another has the times of the others.
TEST_F(StoreIndexTest, HasOneClockForAllCases) {
    write_run(store_, {1, 100, "2.4.6", "aaaa000000000000", 3, 3.0});
    write_run(store_, {2, 100, "2.4.6", "aaaa000000000000", 3, 2.8}, "dot[n=8]");
    StoreIndex index = open(store_);
    const auto found = series(index);
    ASSERT_THAT(found, SizeIs(2));
    EXPECT_EQ(found[1].at_clock_ghz, 3);
    EXPECT_NEAR(found[1].points[0].value / found[0].points[0].value, 1, 1e-5);
}

TEST_F(StoreIndexTest, NeverMixesMachines) {
    write_run(store_, {.date_s = 1, .fingerprint = "aaaa000000000000"});
    write_run(store_, {.date_s = 2, .fingerprint = "bbbb000000000000"});
    StoreIndex index = open(store_);
    EXPECT_THAT(series(index), SizeIs(2));
    const auto of_b = series(index, {.case_pattern = "", .metric = "gross", .machine = "bbb"});
    ASSERT_THAT(of_b, SizeIs(1));
    EXPECT_EQ(of_b[0].key.machine, "bbbb000000000000");
}

TEST_F(StoreIndexTest, FindsCasesByARegularExpressionAndRefusesOneThatIsNone) {
    write_run(store_, {}, "add[n=8]");
    write_run(store_, {}, "dot[n=8]");
    StoreIndex index = open(store_);
    EXPECT_THAT(series(index, {.case_pattern = "^do", .metric = "gross", .machine = ""}), SizeIs(1));
    EXPECT_THAT(series(index, {.case_pattern = "", .metric = "net", .machine = ""}), IsEmpty());
    const auto wrong = index.series({.case_pattern = "add[", .metric = "gross", .machine = ""});
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().code, core::ErrorCode::kUsage);
    EXPECT_EQ(*index.case_names(), (std::vector<std::string>{"add[n=8]", "dot[n=8]"}));
}

TEST_F(StoreIndexTest, SeesNewChangedAndRemovedRecords) {
    const auto first = write_run(store_, {.date_s = 1});
    EXPECT_EQ(points(store_), 1U);
    write_run(store_, {.date_s = 2});
    EXPECT_EQ(points(store_), 2U);
    const auto other = write_run(store_, {.date_s = 3}, "another[n=1]");
    std::filesystem::rename(other, first);  // the name stays, the content changes
    StoreIndex index = open(store_);
    EXPECT_EQ(*index.case_names(), (std::vector<std::string>{"add[n=8]", "another[n=1]"}));
    EXPECT_THAT(series(index), SizeIs(2));
    index.let_go();
    std::filesystem::remove(first);
    EXPECT_EQ(points(store_), 1U);
}

TEST_F(StoreIndexTest, DoesNotReadAnUnchangedRecordAgain) {
    const auto path = write_run(store_, {.date_s = 1});
    EXPECT_EQ(points(store_), 1U);
    // Same name, size and time, but no record any more: that it is not noticed shows that it is not read.
    const auto time = std::filesystem::last_write_time(path);
    const std::string blanks(std::filesystem::file_size(path), ' ');
    std::ofstream(path, std::ios::binary) << blanks;
    std::filesystem::last_write_time(path, time);
    EXPECT_EQ(points(store_), 1U);
}

TEST_F(StoreIndexTest, NamesFilesThatAreNoRecordsUntilTheyChange) {
    const auto good = write_run(store_, {.date_s = 1});
    const auto bad = store_.records() / "bad.json";
    std::ofstream(bad) << R"({"context":{},"benchmarks":[]})";
    for (int i = 0; i < 2; ++i) {
        StoreIndex index = open(store_);
        ASSERT_THAT(index.refused(), SizeIs(1));
        EXPECT_EQ(index.refused()[0].file, bad);
        EXPECT_THAT(index.refused()[0].error.what, HasSubstr("Google Benchmark"));
        EXPECT_THAT(*index.records(), SizeIs(1));
    }
    std::filesystem::copy_file(good, bad, std::filesystem::copy_options::overwrite_existing);
    StoreIndex index = open(store_);
    EXPECT_THAT(index.refused(), IsEmpty());
    EXPECT_THAT(*index.records(), SizeIs(2));
}

TEST_F(StoreIndexTest, IsMadeAnewWhateverLiesInItsPlace) {
    write_run(store_, {.date_s = 1});
    EXPECT_EQ(points(store_), 1U);
    std::ostringstream content;
    content << std::ifstream(index_, std::ios::binary).rdbuf();
    const std::string whole = content.str();
    std::string scrambled = whole;
    for (std::size_t i = 4096; i < scrambled.size(); i += 3) scrambled[i] = 'x';
    for (const std::string& damaged : {std::string("no database at all"), whole.substr(0, whole.size() / 2),
                                       std::string(), whole.substr(0, 100), scrambled, std::string(20'000, '\0')}) {
        std::ofstream(index_, std::ios::binary | std::ios::trunc) << damaged;
        StoreIndex index = open(store_);
        EXPECT_THAT(series(index), SizeIs(1)) << damaged.size();
        EXPECT_THAT(index.notes(), IsEmpty());
    }
}

TEST_F(StoreIndexTest, OfAnotherLayoutIsMadeAnew) {
    write_run(store_, {.date_s = 1});
    EXPECT_EQ(points(store_), 1U);
    {
        auto database = Database::open(index_);
        ASSERT_TRUE(database->run("DROP TABLE points; CREATE TABLE points(x); PRAGMA user_version = 999"));
    }
    EXPECT_EQ(points(store_), 1U);
    auto database = Database::open(index_);
    EXPECT_EQ(*database->number("PRAGMA user_version"), kIndexLayout);
}

TEST_F(StoreIndexTest, IsKeptInMemoryWithANoteWhereItsFileCannotBeHad) {
    write_run(store_, {.date_s = 1});
    std::filesystem::create_directory(index_);  // as unusable as a read-only folder, for root, too
    StoreIndex index = open(store_);
    EXPECT_THAT(series(index), SizeIs(1));
    ASSERT_THAT(index.notes(), SizeIs(1));
    EXPECT_THAT(index.notes()[0], HasSubstr("index.sqlite"));
}

TEST_F(StoreIndexTest, IsRebuiltOnRequestWhateverItSays) {
    write_run(store_, {.date_s = 1, .version = "2.4.6"});
    EXPECT_EQ(points(store_), 1U);
    ASSERT_TRUE(Database::open(index_)->run("UPDATE records SET version = '9.9.9'"));
    StoreIndex index = open(store_);
    EXPECT_EQ(index.records()->front().version, "9.9.9");  // the file did not change: it is not read again
    write_run(store_, {.date_s = 2});
    ASSERT_TRUE(index.rebuild());
    ASSERT_THAT(*index.records(), SizeIs(2));
    EXPECT_EQ(index.records()->front().version, "2.4.6");
    EXPECT_THAT(index.notes(), IsEmpty());
    EXPECT_EQ(open(store_).records()->front().version, "2.4.6");
}

TEST_F(StoreIndexTest, LeavesADatabaseOfSomeoneElseAlone) {
    write_run(store_, {.date_s = 1});
    for (const char* theirs : {"CREATE TABLE diary(day); INSERT INTO diary VALUES(1); PRAGMA user_version = 1",
                               "CREATE TABLE diary(day); CREATE TABLE records(a); CREATE TABLE refused(a); "
                               "CREATE TABLE cases(a); CREATE TABLE metrics(a); CREATE TABLE points(a); "
                               "INSERT INTO diary VALUES(1); PRAGMA user_version = 1",
                               "CREATE TABLE diary(day); INSERT INTO diary VALUES(1); PRAGMA application_id = 7"}) {
        std::filesystem::remove(index_);
        ASSERT_TRUE(Database::open(index_)->run(theirs));
        StoreIndex index = open(store_);
        EXPECT_THAT(series(index), SizeIs(1));
        EXPECT_TRUE(index.rebuild());
        EXPECT_THAT(index.notes(), ElementsAre(HasSubstr("a database that tare did not make")));
        EXPECT_EQ(Database::open(index_)->number("SELECT count(*) FROM diary").value_or(0), 1) << theirs;
    }
}

TEST_F(StoreIndexTest, OfTheTimeBeforeItHadAnIdIsMadeAnew) {
    write_run(store_, {.date_s = 1});
    EXPECT_EQ(points(store_), 1U);
    ASSERT_TRUE(Database::open(index_)->run("PRAGMA application_id = 0; PRAGMA user_version = 1; DELETE FROM points"));
    StoreIndex index = open(store_);
    EXPECT_THAT(series(index), SizeIs(1));
    EXPECT_THAT(index.notes(), IsEmpty());
    EXPECT_EQ(*Database::open(index_)->number("PRAGMA application_id"), kIndexApplication);
}

TEST_F(StoreIndexTest, AnswersOfOneStateUntilItLetsGo) {
    write_run(store_, {.date_s = 1});
    StoreIndex index = open(store_);
    // As a process does that empties the index; it would wait for ten seconds.
    auto other = Database::open(index_);
    EXPECT_FALSE(other->run("PRAGMA busy_timeout = 1; DELETE FROM records"));
    EXPECT_THAT(*index.records(), SizeIs(1));
    EXPECT_THAT(series(index), SizeIs(1));
    index.let_go();
    EXPECT_TRUE(other->run("DELETE FROM records"));
    EXPECT_THAT(*index.records(), IsEmpty());
}

TEST_F(StoreIndexTest, NamesLinksThatLeadNowhereAndForgetsWhatTheyLedTo) {
    const auto elsewhere = folder_.path() / "elsewhere.json";
    std::filesystem::rename(write_run(store_, {.date_s = 1}), elsewhere);
    const auto link = store_.records() / "link.json";
    std::filesystem::create_symlink(elsewhere, link);
    EXPECT_EQ(points(store_), 1U);
    std::filesystem::remove(elsewhere);
    StoreIndex index = open(store_);
    EXPECT_THAT(*index.records(), IsEmpty());
    ASSERT_THAT(index.refused(), SizeIs(1));
    EXPECT_EQ(index.refused()[0].file, link);
    EXPECT_THAT(index.refused()[0].error.what, HasSubstr("the link leads nowhere"));
}

TEST_F(StoreIndexTest, OfAFolderThatCannotBeReadIsAnErrorAndNoEmptyOne) {
    write_run(store_, {.date_s = 1});
    EXPECT_EQ(points(store_), 1U);
    // A loop of links is refused to root, too.
    std::filesystem::rename(store_.records(), folder_.path() / "moved");
    std::filesystem::create_symlink("records", store_.records());
    const auto index = StoreIndex::open(store_);
    ASSERT_FALSE(index);
    EXPECT_EQ(index.error().code, core::ErrorCode::kEnvironment);
    EXPECT_THAT(index.error().what, HasSubstr("cannot read the folder of records"));
}

TEST_F(StoreIndexTest, IsBroughtUpToDateByManyAtOnce) {
    constexpr int kRecords = 20;
    std::vector<std::thread> threads;
    threads.emplace_back([&] {
        for (int i = 0; i < kRecords; ++i) write_run(store_, {.date_s = static_cast<double>(i)});
    });
    std::filesystem::create_directories(store_.records());
    for (int reader = 0; reader < 3; ++reader)
        threads.emplace_back([&] {
            for (int i = 0; i < 6; ++i) {
                const std::size_t before = record::list_records(store_).size();
                StoreIndex index = open(store_);
                EXPECT_THAT(index.refused(), IsEmpty());
                EXPECT_THAT(index.notes(), IsEmpty());
                const std::size_t count = index.records()->size();
                EXPECT_GE(count, before);
                const auto found = series(index);
                EXPECT_EQ(found.empty() ? 0 : found[0].points.size(), count);
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(points(store_), static_cast<std::size_t>(kRecords));
}

TEST_F(StoreIndexTest, AnswersInFullWhileAnotherProcessRebuildsIt) {
    constexpr std::size_t kRecords = 100;
    const auto first = write_run(store_, {});
    for (std::size_t i = 1; i < kRecords; ++i)
        std::filesystem::copy_file(first, store_.records() / (std::to_string(i) + ".json"));
    EXPECT_EQ(points(store_), kRecords);
    constexpr int kAnswers = 3;  // at least, while it is being rebuilt
    std::atomic<int> answers = 0;
    std::atomic<bool> is_over = false;
    std::thread rebuilding([&] {
        for (int i = 0; i < 10 || answers < kAnswers; ++i) EXPECT_TRUE(open(store_).rebuild());
        is_over = true;
    });
    for (; !is_over; ++answers) {
        StoreIndex index = open(store_);
        for (int question = 0; question < 20; ++question) {
            EXPECT_THAT(*index.records(), SizeIs(kRecords));
            EXPECT_THAT(*index.metrics(), ElementsAre("gross"));
            const auto found = series(index);
            EXPECT_TRUE(found.size() == 1 && found[0].points.size() == kRecords);
        }
        EXPECT_THAT(index.notes(), IsEmpty());
    }
    rebuilding.join();
}

TEST_F(StoreIndexTest, SurvivesTheKillOfAProcessInMidUpdate) {
    const auto first = write_run(store_, {});
    for (int i = 1; i < 40; ++i) std::filesystem::copy_file(first, store_.records() / (std::to_string(i) + ".json"));
    for (int delay_us = 200; delay_us < 12'000; delay_us += 2'300) {
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            const auto index = StoreIndex::open(store_);
            _exit(index ? 0 : 1);
        }
        usleep(delay_us);
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
        EXPECT_EQ(points(store_), 40U) << delay_us;
        std::filesystem::remove(index_);
        std::filesystem::remove(index_.string() + "-journal");
    }
}

}  // namespace
}  // namespace tare::history
