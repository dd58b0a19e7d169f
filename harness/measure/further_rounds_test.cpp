// At stake: a tenth of the time, and no process counted twice. A further round that had the seeds of an earlier one
// would repeat its placements, and intervals would shrink over values that are no new ones.
#include "harness/measure/further_rounds.h"

#include <gmock/gmock.h>

#include <set>

#include "harness/measure/fake_worker.h"
#include "harness/measure/unhurried_for_test.h"

namespace tare::measure {
namespace {

using core::Case;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

/// 80 cases in five rounds of 8 s: 0.5 s for each worker, 0.09375 s for each visit.
constexpr RoundCosts kSuite{.all_s = 40, .visits_s = 37.5, .visits = 400, .workers = 5};

TEST(FurtherRounds, TakeATenthOfTheTimeAndMoreWhereManyCasesAreWide) {
    EXPECT_EQ(share_of_further_rounds(0, 80), 0.1);
    EXPECT_EQ(share_of_further_rounds(20, 80), 0.1);
    EXPECT_EQ(share_of_further_rounds(21, 80), 1.0 / 3);
    EXPECT_EQ(share_of_further_rounds(1, 1), 1.0 / 3);
}

TEST(FurtherRounds, ShareATenthOfTheTimeAmongThree) {
    FurtherRounds rounds(kSuite, 0.1);
    double spent_s = 0;
    std::vector<std::size_t> visits;
    while (const std::size_t most = rounds.next_visits()) {
        visits.push_back(most);
        const double took_s = 0.5 + static_cast<double>(most) * 0.09375;
        rounds.took(took_s);
        spent_s += took_s;
    }
    EXPECT_THAT(visits, ElementsAre(8U, 9U, 9U));
    EXPECT_LE(spent_s, 4);
    EXPECT_GT(spent_s, 3.8);
}

TEST(FurtherRounds, AreFewerWhereAPartWouldNotPayForAWorker) {
    FurtherRounds one({.all_s = 10, .visits_s = 7.5, .visits = 60, .workers = 5}, 0.1);  // 0.5 and 0.125 s
    EXPECT_EQ(one.next_visits(), 4U) << "a second would leave none";
    one.took(1);
    EXPECT_EQ(one.next_visits(), 0U);
    EXPECT_EQ(FurtherRounds({.all_s = 3, .visits_s = 0.5, .visits = 5, .workers = 5}, 0.1).next_visits(), 0U);
    EXPECT_EQ(FurtherRounds({}, 0.4).next_visits(), 0U);
}

/// 40 s of which 8 were spent on waiting: a third of the other 32 is 10.7, and 8 of them are gone but for what each
/// worker may wait.
TEST(FurtherRounds, HaveWhatWaitingLeft) {
    RoundCosts waited = kSuite;
    waited.waited_s = 8;
    FurtherRounds rounds(waited, 1.0 / 3);
    EXPECT_EQ(rounds.next_visits(), 5U) << "1.06 s in each of three, of which the worker takes 0.5";
    EXPECT_EQ(FurtherRounds(waited, 0.1).next_visits(), 0U);
}

/// A run of one case of 4 s that waited for the whole second that its twenty workers may.
TEST(FurtherRounds, OfAShortRunAreNotWhatItsWaitingTook) {
    const RoundCosts costs{.all_s = 4, .waited_s = 1, .visits_s = 1.5, .visits = 20, .workers = 20};
    EXPECT_EQ(FurtherRounds(costs, 1.0 / 3).next_visits(), 2U);
}

TEST(FurtherRounds, ThatTookLongerThanThoughtLeaveLessForTheNext) {
    FurtherRounds rounds(kSuite, 0.1);
    EXPECT_EQ(rounds.next_visits(), 8U);
    rounds.took(3);
    EXPECT_EQ(rounds.next_visits(), 5U) << "of 1 s, which two workers would take";
    rounds.took(1);
    EXPECT_EQ(rounds.next_visits(), 0U);
}

struct FurtherRun {
    std::vector<WorkerDraw> draws;
    std::vector<core::Visit> visits;
    std::vector<std::size_t> asked;

    core::Status operator()(
        const RoundSettings& settings, const std::vector<Case>& cases,
        std::function<bool()> stop = [] { return false; }) {
        return run_further_rounds(
            80, settings, kSuite,
            [&](std::size_t most) {
                asked.push_back(most);
                return cases;
            },
            [&](const WorkerDraw& draw) -> core::Expected<std::unique_ptr<WorkerLink>> {
                draws.push_back(draw);
                return std::make_unique<FakeWorker>();
            },
            {.visit_starts = [](const Case&, int) {},
             .visit_done = [&](const core::Visit& visit) -> core::Status {
                 visits.push_back(visit);
                 return {};
             },
             .stop = std::move(stop)});
    }
};

TEST(FurtherRounds, GoOnWithTheNumbersAndWithSeedsOfTheirOwn) {
    const RoundSettings settings{.rounds = 5, .seed = 7, .visit = unhurried()};
    std::set<std::uint64_t> seeds;
    EXPECT_TRUE(run_rounds(
        fake_cases(2), settings,
        [](const WorkerDraw&) -> core::Expected<std::unique_ptr<WorkerLink>> { return std::make_unique<FakeWorker>(); },
        {.visit_starts = [](const Case&, int) {},
         .visit_done = [&](const core::Visit& visit) -> core::Status {
             seeds.insert(visit.seed);
             return {};
         },
         .stop = [] { return false; }}));
    EXPECT_THAT(seeds, SizeIs(10));
    FurtherRun run;
    ASSERT_TRUE(run(settings, fake_cases(2)));
    EXPECT_THAT(run.asked, ElementsAre(80U, 8U, testing::Gt(8U), testing::Gt(8U))) << "how many are wide, then rounds";
    std::set<std::pair<std::string, int>> met;
    std::set<int> processes;
    for (const core::Visit& visit : run.visits) {
        EXPECT_TRUE(seeds.insert(visit.seed).second) << "placements of an earlier round";
        met.insert({visit.case_name, visit.round});
        processes.insert(visit.process);
    }
    EXPECT_THAT(met, ElementsAre(testing::Pair("op0", 5), testing::Pair("op0", 6), testing::Pair("op0", 7),
                                 testing::Pair("op1", 5), testing::Pair("op1", 6), testing::Pair("op1", 7)));
    EXPECT_THAT(processes, SizeIs(3));
    EXPECT_GE(*processes.begin(), 5) << "those before are taken";
}

TEST(FurtherRounds, EndWhereAllIsKnownAndWhereTheUserEndsThem) {
    FurtherRun done;
    EXPECT_TRUE(done({.rounds = 5, .seed = 7, .visit = unhurried()}, {}));
    EXPECT_THAT(done.draws, IsEmpty());
    EXPECT_THAT(done.asked, ElementsAre(80U, 8U));
    FurtherRun interrupted;
    const core::Status ended =
        interrupted({.rounds = 5, .seed = 7, .visit = unhurried()}, fake_cases(2), [] { return true; });
    ASSERT_FALSE(ended);
    EXPECT_EQ(ended.error().code, core::ErrorCode::kInterrupted);
}

}  // namespace
}  // namespace tare::measure
