// Of 20 proposed change points one may be chance: a duet of the two neighbours says which.
#include "harness/history/confirmation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "harness/history/record_surroundings.h"
#include "harness/record/sample_duet.h"

namespace tare::history {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

IndexedRecord indexed(const char* file, const char* version, const char* commit, const char* reference) {
    return {.file = file,
            .kind = "duet",
            .date_s = 1,
            .machine = "m",
            .machine_text = "",
            .environment = "",
            .version = version,
            .commit = commit,
            .reference = reference,
            .cases = 1};
}

class Confirmation : public testing::Test {
  protected:
    Confirmation() {
        char folder[] = "/tmp/tare-confirmation-XXXXXX";
        store_.root = ::mkdtemp(folder);
        EXPECT_TRUE(record::create_folders(store_));
    }
    ~Confirmation() override { std::filesystem::remove_all(store_.root); }

    /// Writes a duet of 1.24.4 (side a) and 1.25.0, turned where asked, and lists it.
    void keep_duet(double log_change, bool turned = false, const std::string& name = "one", double date_s = 100) {
        record::Duet duet = record::sample_duet(1, {{.name = "add_at[n=8]", .log_change = log_change}});
        for (std::size_t side = 0; side < 2; ++side) {
            core::Map facts = duet.sides[side].as_map();
            facts.insert_or_assign("numpy", core::Map{{"version", side == 0 ? "1.24.4" : "1.25.0"}});
            duet.sides[side] = std::move(facts);
        }
        if (turned) duet = record::mirrored(duet);
        ASSERT_TRUE(record::write_duet(record::record_path(store_, name), duet, record::decide(duet)));
        records_.push_back({.file = name + ".json",
                            .kind = "duet",
                            .date_s = date_s,
                            .machine = "m",
                            .machine_text = "",
                            .environment = "",
                            .version = turned ? "1.24.4" : "1.25.0",
                            .commit = "",
                            .reference = turned ? "numpy 1.25.0" : "numpy 1.24.4",
                            .cases = 1});
    }

    TrendChange judged(double proposed_ratio, const std::string& machine = "m", const std::string& environment = "") {
        Trend trend;
        trend.series.key = {machine, environment, "add_at[n=8]", "anchored", "numpy 2.4.6"};
        for (const char* version : {"1.24.0", "1.24.4", "1.25.0", "1.26.0"})
            trend.series.points.emplace_back().version = version;
        TrendChange proposed;
        proposed.point.first = 2;
        proposed.change_ratio = proposed_ratio;
        trend.changes.push_back(proposed);
        std::vector<Trend> trends = {trend};
        confirm_from_records(store_, records_, trends);
        return trends[0].changes[0];
    }

    record::Store store_;
    std::vector<IndexedRecord> records_;
};

TEST_F(Confirmation, WithoutADuetAChangeStaysProposed) {
    EXPECT_EQ(judged(0.5).standing, Standing::kProposed);
}

TEST_F(Confirmation, ADuetOfTheTwoNeighboursConfirmsTheDirection) {
    keep_duet(std::log(0.5));
    const TrendChange change = judged(0.52);
    EXPECT_EQ(change.standing, Standing::kConfirmed);
    EXPECT_THAT(change.confirmation, StartsWith("-4"));  // near -50 %
    EXPECT_THAT(change.confirmation, HasSubstr("10 pairs"));
}

TEST_F(Confirmation, SameOrTheOtherDirectionRefutes) {
    keep_duet(std::log(0.5));
    EXPECT_EQ(judged(1.2).standing, Standing::kRefuted);
    records_.clear();
    keep_duet(0, false, "same");
    EXPECT_EQ(judged(0.5).standing, Standing::kRefuted);
}

/// What `same` with this interval (of the ratio) says of a proposed -3.4 %.
TrendChange judged_same(double low, double high) {
    record::CaseVerdict verdict;
    verdict.state.finding.verdict = stats::Verdict::kSame;
    verdict.state.finding.pairs = 6;
    verdict.state.finding.contrast = stats::Contrast{.log_ratio = (std::log(low) + std::log(high)) / 2};
    verdict.state.finding.ratio_interval = stats::Interval{low, high};
    TrendChange change;
    change.change_ratio = 0.966;
    judge(change, verdict);
    return change;
}

TEST(Judge, AProvenChangeBelowTheBoundIsSmallerAndNotRefuted) {
    const TrendChange change = judged_same(0.984, 0.990);
    EXPECT_EQ(change.standing, Standing::kSmaller);
    EXPECT_EQ(change.confirmation, "-1.3 % [-1.6, -1.0], 6 pairs: real, but below the bound of 2 %");
}

TEST(Judge, SameThatReachesZeroOrStaysWithinTheToleranceOrTurnsRefutes) {
    EXPECT_EQ(judged_same(0.984, 1.001).standing, Standing::kRefuted);
    EXPECT_EQ(judged_same(0.996, 0.998).standing, Standing::kRefuted) << "0.5 % is nobody's concern";
    EXPECT_EQ(judged_same(1.008, 1.012).standing, Standing::kRefuted);
    EXPECT_EQ(judged_same(0.994, 0.998).standing, Standing::kSmaller);
}

TEST_F(Confirmation, ADuetWithItsSidesTurnedSaysTheSame) {
    keep_duet(std::log(0.5), true);
    const TrendChange change = judged(0.52);
    EXPECT_EQ(change.standing, Standing::kConfirmed);
    EXPECT_THAT(change.confirmation, StartsWith("-"));
}

TEST_F(Confirmation, TheLatestDuetCounts) {
    keep_duet(std::log(0.5), false, "old", 1);
    keep_duet(0, false, "new", 2);
    EXPECT_EQ(judged(0.5).standing, Standing::kRefuted);
}

TEST_F(Confirmation, ADuetOnAnotherMachineSaysNothing) {
    keep_duet(std::log(0.5));
    EXPECT_EQ(judged(0.5, "another").standing, Standing::kProposed);
}

TEST_F(Confirmation, ADuetInAnotherEnvironmentSaysNothing) {
    keep_duet(std::log(0.5));
    records_[0].environment = "CPython 3.11.2, executable, 64 threads";
    EXPECT_EQ(judged(0.5, "m", "CPython 3.11.2, executable, 1 thread").standing, Standing::kProposed);
    EXPECT_EQ(judged(0.5, "m", "CPython 3.11.2, executable, 64 threads").standing, Standing::kConfirmed);
}

TEST_F(Confirmation, ADuetWhoseSidesDifferInMoreThanNumpySaysNothing) {
    keep_duet(std::log(0.5));
    for (const char* more : {", CPython 3.14.0", ", embedded", ", OPENBLAS_CORETYPE=Prescott", ", no variables"}) {
        records_[0].reference = std::string("numpy 1.24.4") + more;
        EXPECT_EQ(judged(0.5).standing, Standing::kProposed) << more;
    }
}

TEST_F(Confirmation, TheSidesOfADuetTellItsSurroundings) {
    record::Duet duet = record::sample_duet(1, {{.name = "add_at[n=8]", .log_change = 0}});
    const core::SeriesKey key{surroundings_of(duet).machine, "CPython 3.11.2, executable, 1 thread", "add_at[n=8]",
                              "gross", ""};
    EXPECT_FALSE(is_in_surroundings(surroundings_of(duet), key)) << "side b has a variable set";
    core::Map b = duet.sides[1].as_map();
    b.insert_or_assign("environment", core::Map{});
    duet.sides[1] = b;
    EXPECT_TRUE(is_in_surroundings(surroundings_of(duet), key));
    core::Map settings = duet.settings.as_map();
    settings.insert_or_assign("threads", 64);
    duet.settings = settings;
    EXPECT_FALSE(is_in_surroundings(surroundings_of(duet), key));
    settings.insert_or_assign("threads", 1);
    settings.insert_or_assign("injected_ratio", 0.05);
    duet.settings = settings;
    EXPECT_FALSE(is_in_surroundings(surroundings_of(duet), key));
}

/// A change between two points of these versions and commits.
ChangeEnds ends(const core::SeriesPoint& before, const core::SeriesPoint& after, bool commits = false) {
    Trend trend;
    trend.series.points = {before, after};
    TrendChange change;
    change.point.first = 1;
    return ends_of(trend, change, commits);
}

core::SeriesPoint point(const char* version, const char* commit) {
    core::SeriesPoint one;
    one.version = version;
    one.commit = commit;
    return one;
}

TEST(ChangeEnds, AreCommitsOnlyWhereAskedForOrWhereAVersionIsNoRelease) {
    EXPECT_EQ(ends(point("1.24.4", "c1"), point("1.25.0", "c2")), (ChangeEnds{"1.24.4", "1.25.0", false}));
    EXPECT_EQ(ends(point("1.24.4", "c1"), point("1.25.0", "c2"), true), (ChangeEnds{"c1", "c2", true}));
    EXPECT_EQ(ends(point("2.5.0.dev0+git1.a", "c1"), point("2.5.0.dev0+git2.b", "c2")), (ChangeEnds{"c1", "c2", true}));
    EXPECT_EQ(ends(point("2.4.0", "c1"), point("2.4.0+local", "c2")), (ChangeEnds{"c1", "c2", true}));
    EXPECT_EQ(ends(point("2.4.0", "c1"), point("2.4.0", "c2")), (ChangeEnds{"c1", "c2", true}));
    EXPECT_EQ(ends(point("2.0.0rc1", "c1"), point("2.0.0", "c2")), (ChangeEnds{"2.0.0rc1", "2.0.0", false}));
    EXPECT_EQ(ends(point("1.24.4", ""), point("1.25.0", "c2"), true), (ChangeEnds{"1.24.4", "1.25.0", false}));
}

TEST_F(Confirmation, ADuetOfTwoDevelopmentVersionsConfirmsByTheirCommits) {
    record::Duet duet = record::sample_duet(1, {{.name = "add_at[n=8]", .log_change = std::log(0.5)}});
    for (std::size_t side = 0; side < 2; ++side) {
        core::Map facts = duet.sides[side].as_map();
        facts.insert_or_assign("numpy",
                               core::Map{{"version", "2.5.0.dev0+git"}, {"git_revision", side == 0 ? "c1" : "c2"}});
        duet.sides[side] = std::move(facts);
    }
    ASSERT_TRUE(record::write_duet(record::record_path(store_, "dev"), duet, record::decide(duet)));
    records_.push_back(indexed("dev.json", "2.5.0.dev0+git", "c2", "numpy 2.5.0.dev0+git"));
    Trend trend;
    trend.series.key = {"m", "", "add_at[n=8]", "gross", ""};
    trend.series.points = {point("2.5.0.dev0+git", "c0"), point("2.5.0.dev0+git", "c1"), point("2.5.0.dev1+git", "c2")};
    TrendChange proposed;
    proposed.point.first = 2;
    proposed.change_ratio = 0.5;
    trend.changes.push_back(proposed);
    std::vector<Trend> trends = {trend};
    confirm_from_records(store_, records_, trends);
    EXPECT_EQ(trends[0].changes[0].standing, Standing::kConfirmed);
}

TEST_F(Confirmation, ADamagedRecordIsPassedOver) {
    records_.push_back(indexed("missing.json", "1.25.0", "", "numpy 1.24.4"));
    EXPECT_EQ(judged(0.5).standing, Standing::kProposed);
}

}  // namespace
}  // namespace tare::history
