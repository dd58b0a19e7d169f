// At stake: kill -9 and a torn line cost one visit at most, a living run's journal is never touched, and no damage to a
// journal crashes the next command.
#include "harness/record/journal.h"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <fstream>
#include <limits>
#include <random>

#include "harness/record/abandoned_journals.h"
#include "harness/record/sample_run.h"
#include "harness/record/scratch_folder.h"
#include "harness/record/store.h"
#include "harness/record/visit_json.h"

namespace tare::record {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// A journal with the sample's visits, closed (its lock given up) without an end, as after kill -9.
std::filesystem::path abandoned_journal(const std::filesystem::path& folder, const Record& record,
                                        const std::string& name = "run") {
    auto journal = Journal::create(folder, name, record);
    EXPECT_TRUE(journal);
    for (const core::Visit& visit : record.visits) EXPECT_TRUE(journal->append(visit));
    return journal->path();
}

TEST(VisitJson, RoundTripsExactly) {
    for (core::Visit visit : sample_run(2).visits) {
        visit.started_s = 1'700'000'000.123456789;
        visit.seed = std::numeric_limits<std::uint64_t>::max();
        visit.rungs.front().samples.front() = {std::uint64_t{1} << 60, 0.1 + 0.2, 1e-300};
        visit.rungs.back().samples.back().references = {0.1 + 0.2, 1e-300};
        const auto back = visit_from_json(Json::parse(compact(visit_to_json(visit))));
        ASSERT_TRUE(back) << back.error().what;
        EXPECT_EQ(*back, visit);
    }
}

TEST(VisitJson, KeepsEveryErrorCode) {
    for (int code = 0; code <= static_cast<int>(core::ErrorCode::kInterrupted); ++code) {
        const core::Error error{static_cast<core::ErrorCode>(code), "what", "hint"};
        EXPECT_EQ(error_from_json(error_to_json(error)), error);
    }
}

TEST(VisitJson, ReadsAValueThatIsNotFiniteAsNan) {
    core::Visit visit = sample_visit("x", 0, 10);
    visit.rungs[0].samples[0].wall_ns = std::numeric_limits<double>::infinity();
    const auto back = visit_from_json(Json::parse(compact(visit_to_json(visit))));
    EXPECT_TRUE(std::isnan(back->rungs[0].samples[0].wall_ns));
}

TEST(VisitJson, WritesBytesThatAreNoUtf8) {
    core::Visit visit = sample_visit("x", 0, 10);
    visit.warnings = {"\xff\xfe bytes"};
    EXPECT_THAT(visit_from_json(Json::parse(compact(visit_to_json(visit))))->warnings[0], HasSubstr(" bytes"));
}

TEST(Journal, OfAKilledRunBecomesARecord) {
    const ScratchFolder folder;
    const Record record = sample_run(2);
    abandoned_journal(folder.path(), record);
    const AbandonedJournals found = recover_journals(folder.path());
    ASSERT_THAT(found.journals, SizeIs(1));
    EXPECT_THAT(found.problems, IsEmpty());
    Record expected = record;
    expected.recovered = expected.interrupted = true;
    EXPECT_EQ(std::get<Record>(found.journals[0].record), expected);
}

TEST(Journal, OfAKilledProcessIsReleasedByTheKernel) {
    const ScratchFolder folder;
    const Record record = sample_run(1);
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
        auto journal = Journal::create(folder.path(), "run", record);
        const bool fine = journal && journal->append(record.visits[0]);
        [[maybe_unused]] const auto written = write(ready[1], fine ? "y" : "n", 1);
        pause();
        _exit(0);
    }
    close(ready[1]);  // a child that dies early is the end of it, and not a wait for ever
    char answer = 0;
    ASSERT_EQ(read(ready[0], &answer, 1), 1);
    EXPECT_EQ(answer, 'y');
    EXPECT_THAT(recover_journals(folder.path()).journals, IsEmpty()) << "its run is alive";
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const AbandonedJournals found = recover_journals(folder.path());
    ASSERT_THAT(found.journals, SizeIs(1));
    EXPECT_THAT(std::get<Record>(found.journals[0].record).visits, SizeIs(1));
    close(ready[0]);
}

TEST(Journal, IsRecoveredByOneCommandOnly) {
    const ScratchFolder folder;
    abandoned_journal(folder.path(), sample_run(1));
    const AbandonedJournals first = recover_journals(folder.path());
    EXPECT_THAT(first.journals, SizeIs(1));
    EXPECT_THAT(recover_journals(folder.path()).journals, IsEmpty());
}

TEST(Journal, DropsOnlyATornLastLine) {
    const Record record = sample_run(1);
    const ScratchFolder folder;
    const std::string text = content_of(abandoned_journal(folder.path(), record));
    const auto torn = parse_journal(std::string_view(text).substr(0, text.size() - 20), "run.jsonl");
    ASSERT_TRUE(torn);
    EXPECT_THAT(torn->visits, SizeIs(record.visits.size() - 1));
    EXPECT_THAT(torn->problems, SizeIs(record.problems.size())) << "a torn last line is no damage";
    const auto whole = parse_journal(std::string_view(text).substr(0, text.size() - 1), "run.jsonl");
    EXPECT_THAT(whole->visits, SizeIs(record.visits.size())) << "only the line's end is missing";
}

TEST(Journal, NamesDamagedLinesAndKeepsTheOthers) {
    const Record record = sample_run(1);
    const ScratchFolder folder;
    std::string text = content_of(abandoned_journal(folder.path(), record));
    text[text.find('\n') + 1] = 'X';
    const auto read = parse_journal(text, "run.jsonl");
    EXPECT_THAT(read->visits, SizeIs(record.visits.size() - 1));
    EXPECT_EQ(read->problems.back().error, "line 2 of the journal is damaged");
}

TEST(Journal, SkipsALineThatNestsWithoutEnd) {
    const std::string deep = R"({"context":{"a":)" + std::string(1'000'000, '[') + std::string(1'000'000, ']') + "}}";
    const auto read = parse_journal("{\"tare_journal\":1,\"context\":{}}\n" + deep + '\n', "run.jsonl");
    ASSERT_TRUE(read);
    EXPECT_THAT(read->problems, SizeIs(1));
}

TEST(Journal, SurvivesRandomDamage) {
    const ScratchFolder folder;
    const std::string good = content_of(abandoned_journal(folder.path(), sample_run(1)));
    std::mt19937_64 random(20'261'121);
    std::size_t visits = 0;
    for (int i = 0; i < 3000; ++i) {
        std::string text = good;
        for (int flips = 1 + static_cast<int>(random() % 4); flips > 0; --flips)
            text[random() % text.size()] = static_cast<char>(random());
        if (const auto read = parse_journal(text, "run.jsonl")) visits += summarize(read->visits).cases.size();
    }
    EXPECT_GT(visits, 3000U);
}

TEST(Journal, KnowsAnEndAndALaterContext) {
    const ScratchFolder folder;
    const Record record = sample_run(1);
    auto journal = Journal::create(folder.path(), "run", record);
    ASSERT_TRUE(journal->append(record.visits[0]));
    ASSERT_TRUE(journal->append_context(core::Map{{"load", 1.5}}));
    ASSERT_TRUE(journal->end(false));
    const auto read = parse_journal(content_of(journal->path()), "run.jsonl");
    EXPECT_FALSE(read->interrupted);
    EXPECT_EQ(read->context["load"].as_double(), 1.5);
    ASSERT_TRUE(journal->remove());
    EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(Journal, LeavesNoTornLineWhereTheDiskIsFull) {
    const ScratchFolder folder;
    const Record record = sample_run(1);
    auto journal = Journal::create(folder.path(), "run", record);
    ASSERT_TRUE(journal->append(record.visits[0]));
    const std::string before_text = content_of(journal->path());
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small{before_text.size() + 100, before.rlim_max};
    const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    const core::Status status = journal->append(record.visits[1]);
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, ignored);
    ASSERT_FALSE(status);
    EXPECT_THAT(status.error().what, AllOf(HasSubstr("run.jsonl"), HasSubstr("File too large")));
    EXPECT_EQ(content_of(journal->path()), before_text);
    EXPECT_TRUE(journal->append(record.visits[1])) << "and goes on when there is space again";
}

TEST(Store, IsFoundInTheDocumentedOrder) {
    std::map<std::string, std::string> variables;
    const Environment environment = [&](const char* name) -> std::optional<std::string> {
        const auto found = variables.find(name);
        return found == variables.end() ? std::nullopt : std::optional(found->second);
    };
    EXPECT_EQ(find_store("", environment).error().code, core::ErrorCode::kEnvironment);
    variables["HOME"] = "/home/u";
    EXPECT_EQ(find_store("", environment)->root, "/home/u/.local/share/tare");
    variables["XDG_DATA_HOME"] = "relative";
    EXPECT_EQ(find_store("", environment)->root, "/home/u/.local/share/tare");
    variables["XDG_DATA_HOME"] = "/data";
    EXPECT_EQ(find_store("", environment)->root, "/data/tare");
    variables["TARE_STORE"] = "/store";
    EXPECT_EQ(find_store("", environment)->root, "/store");
    EXPECT_EQ(find_store("/option", environment)->root, "/option");
}

TEST(Store, NamesRunsByTimeInUtc) {
    EXPECT_EQ(run_name(1'700'000'000.9, 0xbeef), "20231114T221320Z-0000beef");
}

TEST(Store, TurnsAbandonedJournalsIntoRecords) {
    const ScratchFolder folder;
    const Store store{folder.path() / "deep/store"};
    ASSERT_TRUE(create_folders(store));
    EXPECT_THAT(list_records(store), IsEmpty());
    const Record record = sample_run(2);
    abandoned_journal(store.journals(), record, "20231114T221320Z-0000beef");
    std::ofstream(store.journals() / "noise.jsonl") << "not a journal\n";
    const Recovery recovery = recover_store(store);
    ASSERT_THAT(recovery.items, SizeIs(1));
    EXPECT_EQ(recovery.items[0].visits, record.visits.size());
    ASSERT_THAT(recovery.problems, SizeIs(1));
    EXPECT_THAT(recovery.problems[0].what, HasSubstr("noise.jsonl"));
    EXPECT_THAT(list_records(store), ElementsAre(record_path(store, "20231114T221320Z-0000beef")));
    const auto read = read_record(list_records(store)[0]);
    ASSERT_TRUE(read) << read.error().what;
    EXPECT_TRUE(read->recovered);
    EXPECT_TRUE(read->interrupted);
    EXPECT_FALSE(std::filesystem::exists(recovery.items[0].journal));
    EXPECT_THAT(recover_store(store).items, IsEmpty());
}

}  // namespace
}  // namespace tare::record
