// At stake: 3 MB for the profiles of 700 cases; none lost with a killed run, and no damage to them crashes a reader.
#include "harness/record/stored_profiles.h"
#include "harness/record/record_text_for_test.h"

#include <gmock/gmock.h>

#include <iterator>
#include <random>

#include "harness/record/journal.h"
#include "harness/record/sample_case_profiles.h"
#include "harness/record/sample_run.h"
#include "harness/record/scratch_folder.h"

namespace tare::record {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

Record run_with_profiles() {
    Record record = sample_run(3);
    record.profiles = {add_profile(), matmul_profile()};
    record.profile_problems = {{"sum[dtype=f8,n=8]", {core::ErrorCode::kEnvironment, "cannot sample: EPERM", "x"}}};
    return record;
}

TEST(StoredProfiles, KeepFunctionsOfHalfAPercent) {
    const core::CaseProfile part = stored_part(add_profile());
    EXPECT_THAT(part.functions, SizeIs(5)) << "one has 4 samples of 1,000";
    EXPECT_THAT(part.layers, SizeIs(4)) << "layers are whole";
}

TEST(StoredProfiles, ReadBackAsWritten) {
    const Record record = run_with_profiles();
    const auto read = parse_record(text_of(record), "x.json");
    ASSERT_TRUE(read) << read.error().what;
    ASSERT_THAT(read->profiles, SizeIs(2));
    EXPECT_EQ(read->profiles[0], stored_part(add_profile()));
    EXPECT_EQ(read->profiles[1], matmul_profile());
    EXPECT_EQ(read->profile_problems, record.profile_problems);
    EXPECT_EQ(text_of(*parse_record(text_of(*read), "x.json")), text_of(*read));
}

TEST(StoredProfiles, AreOfNoConcernToARecordWithout) {
    EXPECT_THAT(text_of(sample_run(2)), Not(HasSubstr("profile")));
}

TEST(StoredProfiles, OfAKilledRunAreThoseOfTheVisitsMade) {
    const ScratchFolder folder;
    core::Expected<Journal> journal = Journal::create(folder.path(), "killed", Record{});
    ASSERT_TRUE(journal) << journal.error().what;
    Journal lines = *std::move(journal);
    core::CaseProfile second = add_profile();
    second.layers.front().name = "kernel";
    ASSERT_TRUE(lines.append(add_profile()));
    ASSERT_TRUE(lines.append(matmul_profile()));
    ASSERT_TRUE(lines.append(second));
    const auto read = parse_journal(content_of(lines.path()), "killed");
    ASSERT_TRUE(read) << read.error().what;
    core::CaseProfile both = add_profile();
    merge(both, second);
    EXPECT_THAT(read->problems, IsEmpty());
    ASSERT_THAT(read->profiles, SizeIs(2));
    EXPECT_EQ(read->profiles[0], both) << "light functions too: they may have more samples in other visits";
    ASSERT_TRUE(lines.remove());
}

TEST(StoredProfiles, OfSevenHundredCasesTakeLessThanThreeMegabytes) {
    Record record;
    record.profiles = full_size_profiles(1);
    record.ledgers = {};
    EXPECT_LT(text_of(record).size(), 3'000'000U);
}

TEST(StoredProfiles, ThatAreDamagedAreRefusedOrReadInPart) {
    const StoredProfiles whole = stored_profiles_to_json(std::vector{add_profile(), matmul_profile()});
    std::mt19937 random(1);
    const auto with_damage = [&](std::string text) {
        for (int k = 0; k < 3; ++k) text[random() % text.size()] = "0129[]{}\",-ae"[random() % 13];
        return Json::parse(text, nullptr, false);
    };
    for (int i = 0; i < 2000; ++i) {
        const Json tables = with_damage(compact(whole.tables));
        const Json profiles = with_damage(compact(whole.profiles));
        if (!tables.is_discarded()) (void)stored_profiles_from_json(tables, whole.profiles);
        if (!profiles.is_discarded()) (void)stored_profiles_from_json(whole.tables, profiles);
    }
    StoredProfiles stored = stored_profiles_to_json(std::vector{add_profile()});
    stored.profiles[0]["functions"][0][0] = 99;
    EXPECT_FALSE(stored_profiles_from_json(stored.tables, stored.profiles)) << "an index that leads nowhere";
    stored.profiles[0].erase("case");
    EXPECT_FALSE(stored_profiles_from_json(stored.tables, stored.profiles));
}

}  // namespace
}  // namespace tare::record
