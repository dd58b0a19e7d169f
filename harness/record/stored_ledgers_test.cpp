// At stake: 3 MB for the ledgers of 700 cases, none lost with a killed run, and no damage to them crashes a reader.
#include "harness/record/stored_ledgers.h"
#include "harness/record/record_text_for_test.h"

#include <gmock/gmock.h>

#include <fstream>
#include <random>
#include <sstream>

#include "harness/core/clock.h"
#include "harness/record/abandoned_journals.h"
#include "harness/record/exports.h"
#include "harness/record/full_size_ledgers.h"
#include "harness/record/full_size_run.h"
#include "harness/record/journal.h"
#include "harness/record/sample_run.h"
#include "harness/record/scratch_folder.h"
#include "harness/record/store.h"

namespace tare::record {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

std::vector<core::Ledger> stored_parts(std::vector<core::Ledger> ledgers) {
    for (core::Ledger& ledger : ledgers) ledger = stored_part(std::move(ledger));
    return ledgers;
}

Record run_with_ledgers() {
    Record record = sample_run(2);
    record.ledgers = {add_ledger(), syrk_ledger()};
    record.ledger_problems = {
        {"sum[dtype=f8,n=8]", {core::ErrorCode::kTimeout, "one layout took longer than 10 s", "raise it"}}};
    return record;
}

TEST(StoredLedgers, KeepFunctionsOfHalfAPercentAndTheirLayersOfTheCallTree) {
    core::Ledger ledger = ledger_of_paths("x", "f()",
                                          {{-1, "heavy", 0, "a", 1, 989},
                                           {0, "kept", 0, "a", 1, 3},
                                           {1, "kept", 0, "b", 1, 2},
                                           {0, "dropped", 0, "b", 1, 4},
                                           {0, "dropped too", 0, "b", 1, 2}});
    ASSERT_EQ(ledger.total.value, 1'000U);
    ledger = stored_part(std::move(ledger));
    EXPECT_THAT(ledger.nodes, ElementsAre(core::LedgerNode{-1, 0, 0, 0, 989}, core::LedgerNode{-1, 1, 0, 0, 3},
                                          core::LedgerNode{-1, 1, 1, 0, 2}));
    const StoredLedgers stored = stored_ledgers_to_json(std::vector{ledger});
    EXPECT_EQ(stored.ledgers[0]["function_layers"], Json::parse("[0,[[0,3],[1,2]]]"));
    ASSERT_THAT(ledger.functions, SizeIs(2));
    EXPECT_EQ(ledger.functions[1].name, "kept");
    EXPECT_THAT(ledger.layers, SizeIs(2)) << "layers are whole";
}

TEST(StoredLedgers, ReadBackAsWritten) {
    const Record record = run_with_ledgers();
    const auto read = parse_record(text_of(record), "x.json");
    ASSERT_TRUE(read) << read.error().what;
    EXPECT_EQ(read->ledgers, stored_parts(record.ledgers));
    EXPECT_EQ(read->ledger_problems, record.ledger_problems);
    EXPECT_EQ(text_of(*parse_record(text_of(*read), "x.json")), text_of(*read));
}

TEST(StoredLedgers, KeepPythonFunctionsWithoutTheirLines) {
    Record record = sample_run(2);
    record.ledgers = {python_ledger()};
    record.ledgers[0].python_functions.push_back({"small", "/site/shapes.py", 1, {18, 18, 18}, 18, 1, {{1, 18}}});
    const auto read = parse_record(text_of(record), "x.json");
    ASSERT_TRUE(read) << read.error().what;
    EXPECT_EQ(read->ledgers, stored_parts(record.ledgers));
    ASSERT_THAT(read->ledgers[0].python_functions, SizeIs(2)) << "of half a per cent";
    EXPECT_THAT(read->ledgers[0].python_functions[0].lines, IsEmpty());
}

TEST(StoredLedgers, ShareFilesFunctionsAndPrograms) {
    const std::vector<core::Ledger> ledgers(50, add_ledger());
    const StoredLedgers stored = stored_ledgers_to_json(ledgers);
    EXPECT_EQ(stored.tables["programs"].size(), 1U);
    EXPECT_EQ(stored.tables["files"].size(), 3U);
    EXPECT_EQ(stored.tables["functions"].size(), 14U);
    EXPECT_EQ(stored.ledgers[49]["functions"][0], Json::parse("[0,812,812,834]")) << "varies with the layout";
    EXPECT_EQ(stored.ledgers[49]["functions"][2], Json::parse("[2,511]"));
}

TEST(StoredLedgers, AreNotWrittenWhereNoneWereAskedFor) {
    EXPECT_THAT(text_of(sample_run(1)), Not(HasSubstr("ledger")));
}

TEST(StoredLedgers, OfAWholeSuiteStayUnderThreeMegabytes) {
    const auto now_ms = [] { return static_cast<double>(core::wall_clock_ns()) * 1e-6; };
    Record record;
    record.ledgers = full_size_ledgers(1);
    const double t0 = now_ms();
    const std::string text = text_of(record);
    const double t1 = now_ms();
    const auto read = parse_record(text, "x.json");
    const double t2 = now_ms();
    ASSERT_TRUE(read);
    EXPECT_EQ(read->ledgers, stored_parts(record.ledgers));
    EXPECT_LT(text.size(), 3'000'000U);
    std::size_t functions = 0;
    for (const core::Ledger& ledger : read->ledgers) functions += ledger.functions.size();
    std::cout << "size " << text.size() << " bytes, " << functions / read->ledgers.size() << " functions a case; write "
              << t1 - t0 << " ms, read " << t2 - t1 << " ms\n";  // no time is tested
}

TEST(StoredLedgers, ThatReferToNothingAreDamage) {
    const StoredLedgers stored = stored_ledgers_to_json(run_with_ledgers().ledgers);
    const auto error_of = [&](const std::function<void(StoredLedgers&)>& damage) {
        StoredLedgers damaged = stored;
        damage(damaged);
        const auto read = stored_ledgers_from_json(damaged.tables, damaged.ledgers);
        return read ? "" : read.error().what;
    };
    EXPECT_EQ(error_of([](StoredLedgers&) {}), "");
    EXPECT_EQ(error_of([](StoredLedgers& s) { s.ledgers[0].erase("case"); }), "a ledger names no case");
    const std::string lost = "the ledger of 'add[kind=array,dtype=f8,n=8]' refers to what is not there";
    EXPECT_EQ(error_of([](StoredLedgers& s) { s.ledgers[0]["program"] = 1; }), lost);
    EXPECT_EQ(error_of([](StoredLedgers& s) { s.ledgers[0]["modules"][0]["file"] = -1; }), lost);
    EXPECT_EQ(error_of([](StoredLedgers& s) { s.ledgers[0]["functions"][0][0] = 1'000; }), lost);
    EXPECT_EQ(error_of([](StoredLedgers& s) { s.ledgers[0]["functions"][0].push_back(1); }), lost);
    EXPECT_EQ(error_of([](StoredLedgers& s) { s.ledgers[0]["functions"][0] = 3; }), lost);
    EXPECT_EQ(error_of([](StoredLedgers& s) { s.tables["functions"][0]["file"] = 99; }), lost);
    EXPECT_EQ(error_of([](StoredLedgers& s) { s.tables = nullptr; }), lost);
    Json record = Json::parse(text_of(run_with_ledgers()));
    record["tare"]["ledgers"][0].erase("case");
    EXPECT_EQ(parse_record(record.dump(), "x.json").error().what, "'x.json' is damaged: a ledger names no case");
}

TEST(StoredLedgers, NeverHoldACountOutsideItsRange) {
    StoredLedgers stored = stored_ledgers_to_json(std::vector<core::Ledger>{add_ledger()});
    stored.ledgers[0]["total"] = Json::parse(R"({"value":5,"lowest":7,"highest":3})");
    EXPECT_EQ(stored_ledgers_from_json(stored.tables, stored.ledgers)->at(0).total, (core::Count{5, 5, 5}));
}

TEST(StoredLedgers, SurviveRandomDamage) {
    Record record = run_with_ledgers();
    record.visits.clear();
    const std::string good = text_of(record);
    std::mt19937_64 random(20'261'121);
    int accepted = 0;
    constexpr int kFiles = 5'000;
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

TEST(LedgerJournal, OfAKilledRunGivesBackItsLedgers) {
    const ScratchFolder folder;
    const Record record = run_with_ledgers();
    {
        auto journal = Journal::create(folder.path(), "run", record);
        ASSERT_TRUE(journal);
        ASSERT_TRUE(journal->append(record.visits[0]));
        for (const core::Ledger& ledger : record.ledgers) ASSERT_TRUE(journal->append(ledger));
        ASSERT_TRUE(journal->append(record.ledger_problems[0]));
    }
    const AbandonedJournals found = recover_journals(folder.path());
    ASSERT_THAT(found.journals, SizeIs(1));
    EXPECT_THAT(found.problems, IsEmpty());
    const auto& recovered = std::get<Record>(found.journals[0].record);
    EXPECT_EQ(recovered.ledgers, stored_parts(record.ledgers));
    EXPECT_EQ(recovered.ledger_problems, record.ledger_problems);
    EXPECT_THAT(recovered.visits, SizeIs(1));
    EXPECT_EQ(recovered.problems, record.problems);
}

TEST(LedgerJournal, OfAKilledRunBecomesARecordThatShowsItsCounts) {
    const ScratchFolder folder;
    const Store store{folder.path()};
    ASSERT_TRUE(create_folders(store));
    const Record record = run_with_ledgers();
    {
        auto journal = Journal::create(store.journals(), "run", record);
        for (const core::Visit& visit : record.visits) ASSERT_TRUE(journal->append(visit));
        for (const core::Ledger& ledger : record.ledgers) ASSERT_TRUE(journal->append(ledger));
    }
    ASSERT_THAT(recover_store(store).items, SizeIs(1));
    std::ostringstream text;
    text << std::ifstream(list_records(store).at(0)).rdbuf();
    const Json json = Json::parse(text.str());
    EXPECT_EQ(json["tare"]["cases"][1]["case"], "add[kind=array,dtype=f8,n=8]");
    EXPECT_EQ(json["tare"]["cases"][1]["instructions"], 3'770);
    EXPECT_EQ(json["tare"]["ledgers"].size(), 2U);
}

TEST(LedgerJournal, NamesADamagedLedgerAndKeepsTheOthers) {
    const ScratchFolder folder;
    auto journal = Journal::create(folder.path(), "run", {});
    for (const core::Ledger& ledger : run_with_ledgers().ledgers) ASSERT_TRUE(journal->append(ledger));
    std::ostringstream stream;
    stream << std::ifstream(journal->path()).rdbuf();
    std::string text = stream.str();
    text.replace(text.find("\"program\":0"), 11, "\"program\":7");
    const auto read = parse_journal(text, "run.jsonl");
    ASSERT_TRUE(read);
    EXPECT_THAT(read->ledgers, ElementsAre(stored_part(syrk_ledger())));
    ASSERT_THAT(read->problems, SizeIs(1));
    EXPECT_EQ(read->problems[0].error, "line 2 of the journal is damaged");
}

TEST(RunSummary, ShowsInstructionsWhereThereAreLedgers) {
    const Record record = run_with_ledgers();
    const Summary summary = summarize(record);
    EXPECT_THAT(print_table(summary, {}),
                AllOf(HasSubstr("instructions"), HasSubstr("3,770"),
                      HasSubstr("instructions of one execution, net of the loop: the fewest over 5 memory layouts\n"),
                      HasSubstr("\nNo ledger\n  sum[dtype=f8,n=8]: one layout took longer than 10 s; raise it\n")));
    EXPECT_THAT(print_markdown(summary, {}), AllOf(HasSubstr("| instructions |"), HasSubstr("| 3,770 |")));
    const std::string csv = print_csv(summary);
    EXPECT_THAT(csv, AllOf(HasSubstr(",error,instructions,instructions_lowest,instructions_highest\r\n"),
                           HasSubstr(",3770,3770,3822\r\n"), HasSubstr(",,,\r\n")));
    EXPECT_THAT(print_table(summarize(record.visits), {}), Not(HasSubstr("instructions")));
    EXPECT_THAT(print_csv(summarize(record.visits)), Not(HasSubstr("instructions")));
}

TEST(RunSummary, GivesTheReasonOfEveryMissingCount) {
    const Json json = Json::parse(print_json(run_with_ledgers(), summarize(run_with_ledgers())));
    int counted = 0;
    for (const Json& each : json["cases"]) {
        if (each["instructions"].is_number()) {
            ++counted;
            EXPECT_EQ(each["instructions"], 3'770);
            EXPECT_EQ(each["instructions_highest"], 3'822);
        } else {
            EXPECT_FALSE(text_or(member(each["reasons"], "instructions"), "").empty()) << each["case"];
        }
    }
    EXPECT_EQ(counted, 1);
    EXPECT_EQ(json["ledger_problems"][0]["case"], "sum[dtype=f8,n=8]");
}

}  // namespace
}  // namespace tare::record
