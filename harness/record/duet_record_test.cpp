// At stake: 2 MB, no lost sample, no lost verdict. What is read back equals what was written, to the bit, and decides
// likewise; no damage to a file or a journal crashes the reader.
#include <gmock/gmock.h>

#include <array>
#include <filesystem>

#include "harness/record/abandoned_journals.h"
#include "harness/record/any_record.h"
#include "harness/record/duet_journal.h"
#include "harness/record/journal.h"
#include "harness/record/json.h"
#include "harness/record/sample_duet.h"
#include "harness/record/sample_run.h"
#include "harness/record/scratch_folder.h"
#include "harness/record/store.h"

namespace tare::record {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string text_of(const Duet& duet) {
    std::string text;
    EXPECT_TRUE(print_duet(duet, decide(duet), [&](std::string_view piece) {
        text += piece;
        return core::Status();
    }));
    return text;
}

TEST(DuetRecord, ReadsBackExactlyAndDecidesLikewise) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        Duet duet = sample_duet(seed);
        duet.interrupted = seed % 2 == 0;
        duet.visits.back().quads.back().a[1] = {7, 0.1 + 0.2, 1e-300};
        duet.visits[4].fingerprint_changed = true;
        duet.cases[2].margins = {0.01 / 3, 0.1};
        duet.rules.correction = stats::Correction::kBenjaminiYekutieli;
        const auto read = parse_duet(text_of(duet), "x.json");
        ASSERT_TRUE(read) << read.error().what;
        EXPECT_EQ(*read, duet);
        EXPECT_EQ(decide(*read), decide(duet));
    }
}

TEST(DuetRecord, KeepsRulesOfAnOpenDuet) {
    Duet duet = sample_duet(2, {{"x"}}, 7);
    duet.rules.looks = stats::Looks::kOpen;
    duet.rules.false_discovery_rate = 0.01;
    duet.rules.plan = {{4, 9}, 9, 0.02};
    EXPECT_EQ(*parse_duet(text_of(duet), "x.json"), duet);
}

TEST(DuetRecord, IsWhatGoogleBenchmarkReadersExpect) {
    const Json json = Json::parse(text_of(sample_duet()));
    EXPECT_EQ(json["context"]["json_schema_version"], 1);
    int failed = 0, a = 0, b = 0;
    for (const Json& row : json["benchmarks"]) {
        EXPECT_TRUE(row["real_time"].is_number() && row["cpu_time"].is_number()) << row;
        EXPECT_EQ(row["run_type"], "iteration");
        for (const auto& [key, value] : row.items()) EXPECT_TRUE(key == "tare" || value.is_primitive()) << key;
        const std::string name = row["name"];
        failed += row.contains("error_occurred") ? 1 : 0;
        a += name.ends_with("/python/a") ? 1 : 0;
        b += name.ends_with("/python/b") ? 1 : 0;
    }
    EXPECT_EQ(failed, 1);
    EXPECT_GT(a, 60);
    EXPECT_EQ(a, b);
    EXPECT_EQ(json["tare"]["kind"], "duet");
    EXPECT_EQ(json["tare"]["verdicts"][1]["verdict"], "slower");
    EXPECT_EQ(json["tare"]["counts"]["only_a"], 1);
    EXPECT_FALSE(json["tare"].contains("notice"));
}

TEST(DuetRecord, SaysInCapitalsThatWorkWasInjected) {
    Duet duet = sample_duet();
    duet.settings = core::Map{{"injected_ratio", 0.02}};
    EXPECT_EQ(Json::parse(text_of(duet))["tare"]["notice"],
              "WORK WAS INJECTED: SIDE B EXECUTED 2 % MORE; THIS IS NO COMPARISON OF TWO BUILDS");
}

TEST(DuetRecord, AndThatOfARunAreToldApart) {
    const ScratchFolder folder;
    const Record run = sample_run(2);
    const Duet duet = sample_duet();
    ASSERT_TRUE(write_record(folder.path() / "run.json", run, summarize(run.visits)));
    ASSERT_TRUE(write_duet(folder.path() / "duet.json", duet, decide(duet)));
    const auto as_run = read_record(folder.path() / "duet.json");
    ASSERT_FALSE(as_run);
    EXPECT_EQ(as_run.error().code, core::ErrorCode::kData);
    EXPECT_THAT(as_run.error().what, HasSubstr("duet.json' is the record of a duet, not of a run"));
    EXPECT_THAT(as_run.error().hint, HasSubstr("bench compare --replay"));
    const auto as_duet = read_duet(folder.path() / "run.json");
    ASSERT_FALSE(as_duet);
    EXPECT_EQ(as_duet.error().code, core::ErrorCode::kData);
    EXPECT_THAT(as_duet.error().what, HasSubstr("run.json' is the record of a run, not of a duet"));
    EXPECT_EQ(std::get<Duet>(*read_any_record(folder.path() / "duet.json")), duet);
    EXPECT_THAT(std::get<Record>(*read_any_record(folder.path() / "run.json")).visits, SizeIs(run.visits.size()));
    EXPECT_FALSE(read_any_record(folder.path() / "none.json"));
}

TEST(DuetRecord, RefusesRulesThatTheStatisticsDoNotTake) {
    const std::string good = text_of(sample_duet(1, {{"x"}}, 6));
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string text = good;
        text.replace(text.find(from), from.size(), to);
        return parse_duet(text, "x.json");
    };
    EXPECT_THAT(with("\"looks_pairs\":[6,", "\"looks_pairs\":[66,").error().what,
                HasSubstr("x.json' is damaged: its rules"));
    EXPECT_THAT(with("\"ended_after_rounds\":[", "\"ended_after_rounds\":[9,").error().what,
                HasSubstr("do not ascend"));
    EXPECT_THAT(with("\"batch_n\":660", "\"batch_n\":[660]").error().what,
                HasSubstr("batches that do not make 24 quads"));
    EXPECT_FALSE(with("\"same_alpha\":0.05", "\"same_alpha\":5"));
    EXPECT_FALSE(with("\"cases\":[{", "\"cases\":7,\"other\":[{"));
}

TEST(DuetRecord, NeverWritesANumberThatIsNotFinite) {
    Duet duet = sample_duet(1, {{"x"}}, 6);
    for (core::PairQuad& quad : duet.visits[0].quads)
        for (core::Sample& sample : quad.b) sample.wall_ns = std::nan("");
    for (core::PairQuad& quad : duet.visits[1].quads)
        for (core::Sample& sample : quad.a) sample.cpu_ns = std::numeric_limits<double>::infinity();
    duet.visits[2].wall_s = std::nan("");
    duet.visits[3].quads.clear();
    const std::string text = text_of(duet);
    const Json json = Json::parse(text);
    ASSERT_THAT(json["benchmarks"], SizeIs(6 + 4)) << "two failed visits, four of two sides";
    for (const Json& row : json["benchmarks"])
        EXPECT_TRUE(row["real_time"].is_number() && row["cpu_time"].is_number()) << row;
    const auto read = parse_duet(text, "x.json");
    ASSERT_TRUE(read) << read.error().what;
    EXPECT_EQ(decide(*read), decide(duet));
    EXPECT_THAT(series_of(*read)[0].values, SizeIs(4));
}

TEST(DuetRecord, SurvivesRandomDamage) {
    const std::string good = text_of(sample_duet(1, {{"x"}, {"crash", 0, 0.01, 300, Presence::kBoth, 1}}, 4));
    std::mt19937_64 random(20'261'121);
    int accepted = 0;
    constexpr int kFiles = 3000;
    for (int i = 0; i < kFiles; ++i) {
        std::string text = good;
        for (int flips = 1 + static_cast<int>(random() % 3); flips > 0; --flips)
            text[random() % text.size()] = static_cast<char>(random() % 3 == 0 ? random() : '0' + random() % 10);
        const auto read = parse_duet(text, "x.json");
        if (!read) {
            EXPECT_EQ(read.error().code, core::ErrorCode::kData);
            continue;
        }
        ++accepted;
        EXPECT_FALSE(text_of(*read).empty());
    }
    EXPECT_GT(accepted, 0);  // a changed digit is a valid record
    EXPECT_LT(accepted, kFiles);
}

TEST(DuetRecord, OfSixtyCasesStaysUnderTwoMegabytes) {
    const ScratchFolder folder;
    std::vector<SampleCase> truths;
    for (int i = 0; i < 60; ++i)
        truths.push_back({fmt::format("operation_{}[kind=array,dtype=f8,n={}]", i, 1 << (i % 7)), 0, 0.05});
    const Duet duet = sample_duet(7, truths, 10);
    ASSERT_THAT(duet.visits, SizeIs(600));
    ASSERT_TRUE(write_duet(folder.path() / "a.json", duet, decide(duet)));
    EXPECT_LT(std::filesystem::file_size(folder.path() / "a.json"), 2'000'000U);
    std::cout << "size " << std::filesystem::file_size(folder.path() / "a.json") << " bytes\n";
    EXPECT_EQ(*read_duet(folder.path() / "a.json"), duet);
}

TEST(DuetRecord, SaysWhyItCannotBeWrittenAndWhereTheDataAre) {
    const Duet duet = sample_duet(1, {{"x"}}, 2);
    const core::Status status = write_duet("/dev/full", duet, decide(duet), "/store/journal/x.jsonl");
    ASSERT_FALSE(status);
    EXPECT_THAT(status.error().what, HasSubstr("No space left"));
    EXPECT_THAT(status.error().hint, HasSubstr("the journal '/store/journal/x.jsonl' holds all"));
}

/// A journal of the first `rounds` rounds of `duet` and, of the next, one visit; its lock given up without an end.
std::filesystem::path killed_journal(const std::filesystem::path& folder, const Duet& duet, int rounds) {
    Duet start = duet;
    start.visits.clear();
    start.ended_after_rounds.clear();
    auto journal = DuetJournal::create(folder, "duet", start);
    EXPECT_TRUE(journal);
    int previous = 0;
    for (const core::PairVisit& visit : duet.visits) {
        if (visit.round != previous) {
            EXPECT_TRUE(journal->append_round_ended(previous));
        }
        previous = visit.round;
        EXPECT_TRUE(journal->append(visit));
        if (visit.round == rounds) break;
    }
    return journal->path();
}

TEST(DuetJournal, OfAKilledDuetEndsAfterTheLastWholeRound) {
    const ScratchFolder folder;
    const Duet duet = sample_duet();
    killed_journal(folder.path(), duet, 7);
    const AbandonedJournals found = recover_journals(folder.path());
    ASSERT_THAT(found.journals, SizeIs(1));
    EXPECT_THAT(found.problems, IsEmpty());
    const Duet& recovered = std::get<Duet>(found.journals[0].record);
    EXPECT_TRUE(recovered.recovered);
    EXPECT_TRUE(recovered.interrupted);
    EXPECT_THAT(recovered.ended_after_rounds, ElementsAre(6));
    EXPECT_EQ(recovered.visits.back().round, 7) << "kept for the duet that continues";
    EXPECT_TRUE(std::equal(recovered.visits.begin(), recovered.visits.end(), duet.visits.begin()));
    EXPECT_EQ(decide(recovered)[0].state.finding.pairs, 6) << "the look at 6 pairs";
    EXPECT_EQ(recovered.cases, duet.cases);
    EXPECT_EQ(recovered.rules, duet.rules);
}

TEST(DuetJournal, OfAContinuedDuetHoldsWhatCameBefore) {
    const ScratchFolder folder;
    Duet duet = sample_duet(1, {{"x", 0, 0.03}}, 5);
    ASSERT_THAT(duet.visits, SizeIs(5));
    auto journal = DuetJournal::create(folder.path(), "duet", duet);
    ASSERT_TRUE(journal);
    std::mt19937_64 random(2);
    duet.visits.push_back(sample_pair_visit(random, {"x"}, 5));
    ASSERT_TRUE(journal->append(duet.visits.back()));
    ASSERT_TRUE(journal->append_round_ended(5));
    duet.ended_after_rounds = {4, 5};
    duet.recovered = duet.interrupted = true;
    EXPECT_EQ(*parse_duet_journal(content_of(journal->path()), "x.jsonl"), duet);
}

TEST(DuetJournal, KnowsAnEndAndLaterFacts) {
    const ScratchFolder folder;
    Duet duet = sample_duet(1, {{"x", 0, 0.03}}, 2);
    Duet start = duet;
    start.ended_after_rounds.clear();
    auto journal = DuetJournal::create(folder.path(), "duet", start);
    duet.context = core::Map{{"load", 1.5}};
    duet.sides[1] = core::Map{{"numpy", "2.5"}};
    duet.page_cache = {{"a.so"}, 3, 4, "a.so: busy"};
    ASSERT_TRUE(journal->append_context(duet.context));
    ASSERT_TRUE(journal->append_sides(duet.sides));
    ASSERT_TRUE(journal->append_page_cache(duet.page_cache));
    ASSERT_TRUE(journal->end(false, 1));
    duet.recovered = true;
    EXPECT_EQ(*parse_duet_journal(content_of(journal->path()), "x.jsonl"), duet);
    ASSERT_TRUE(journal->remove());
    EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(DuetJournal, DropsATornLineAndNamesDamagedOnes) {
    const ScratchFolder folder;
    const std::string good = content_of(killed_journal(folder.path(), sample_duet(1, {{"x", 0, 0.03}}, 4), 9));
    const std::size_t visits = parse_duet_journal(good, "x.jsonl")->visits.size();
    const auto torn = parse_duet_journal(std::string_view(good).substr(0, good.size() - 20), "x.jsonl");
    EXPECT_THAT(torn->visits, SizeIs(visits - 1));
    EXPECT_THAT(torn->problems, IsEmpty());
    std::string text = good;
    text[text.find('\n') + 1] = 'X';
    const auto damaged = parse_duet_journal(text, "x.jsonl");
    EXPECT_THAT(damaged->visits, SizeIs(visits - 1));
    EXPECT_EQ(damaged->problems.back().error, "line 2 of the journal is damaged");
}

TEST(DuetJournal, IsNoRunsJournal) {
    const ScratchFolder folder;
    const std::string text = content_of(killed_journal(folder.path(), sample_duet(1, {{"x"}}, 2), 9));
    EXPECT_THAT(parse_journal(text, "x.jsonl").error().what, HasSubstr("no journal of version 1"));
    EXPECT_THAT(parse_duet_journal("{\"tare_journal\":1,\"context\":{}}\n", "x.jsonl").error().what,
                HasSubstr("no journal of a duet"));
    EXPECT_THAT(parse_duet_journal("{\"tare_journal\":1,\"kind\":\"duet\"}\n", "x.jsonl").error().what,
                HasSubstr("is damaged: its rules"));
    EXPECT_EQ(parse_duet_journal("", "x.jsonl").error().code, core::ErrorCode::kData);
}

TEST(DuetJournal, SurvivesRandomDamage) {
    const ScratchFolder folder;
    const std::string good = content_of(killed_journal(folder.path(), sample_duet(1, {{"x"}, {"y"}}, 4), 9));
    std::mt19937_64 random(20'261'121);
    std::size_t verdicts = 0;
    for (int i = 0; i < 3000; ++i) {
        std::string text = good;
        for (int flips = 1 + static_cast<int>(random() % 4); flips > 0; --flips)
            text[random() % text.size()] = static_cast<char>(random());
        const auto read = parse_duet_journal(text, "x.jsonl");
        if (read) {
            verdicts += decide(*read).size();
        } else {
            EXPECT_EQ(read.error().code, core::ErrorCode::kData);
        }
    }
    EXPECT_GT(verdicts, 3000U);
}

TEST(Store, MakesRecordsOfDuetsThatWereKilled) {
    const ScratchFolder folder;
    const Store store{folder.path() / "store"};
    ASSERT_TRUE(create_folders(store));
    killed_journal(store.journals(), sample_duet(), 7);
    const Recovery recovery = recover_store(store);
    EXPECT_THAT(recovery.problems, IsEmpty());
    ASSERT_THAT(recovery.items, SizeIs(1));
    const auto read = read_duet(recovery.items[0].record);
    ASSERT_TRUE(read) << read.error().what;
    EXPECT_TRUE(read->recovered);
    EXPECT_EQ(read->visits.size(), recovery.items[0].visits);
    EXPECT_FALSE(std::filesystem::exists(recovery.items[0].journal));
}

}  // namespace
}  // namespace tare::record
