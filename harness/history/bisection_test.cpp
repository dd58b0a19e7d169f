// 17 releases are bisected with 4 duets of half a minute each, not with 15.
#include "harness/history/bisection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace tare::history {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

/// An oracle whose change is at `first`, and which cannot tell what is in `holes`. Counts what it is asked.
struct Oracle {
    std::size_t first = 0;
    std::vector<std::size_t> holes;
    std::vector<std::size_t> asked;

    core::Expected<ChangeSide> operator()(std::size_t candidate) {
        asked.push_back(candidate);
        if (std::find(holes.begin(), holes.end(), candidate) != holes.end()) return ChangeSide::kUnknown;
        return candidate < first ? ChangeSide::kBefore : ChangeSide::kAfter;
    }
};

Bisection ask(Oracle& oracle, std::size_t count) {
    return bisect(count, [&](std::size_t candidate) { return oracle(candidate); });
}

TEST(Bisection, FindsEveryPlaceOfAChangeWithAsManyQuestionsAsItTakes) {
    for (std::size_t count = 2; count < 40; ++count)
        for (std::size_t first = 1; first < count; ++first) {
            Oracle oracle{.first = first, .holes = {}, .asked = {}};
            const Bisection found = ask(oracle, count);
            ASSERT_TRUE(found.decided());
            ASSERT_EQ(found.first_after, first);
            ASSERT_LE(oracle.asked.size(), std::ceil(std::log2(count - 1)));
        }
}

TEST(Bisection, TwoNeighboursNeedNoQuestion) {
    Oracle oracle{.first = 1, .holes = {}, .asked = {}};
    EXPECT_TRUE(ask(oracle, 2).decided());
    EXPECT_THAT(oracle.asked, IsEmpty());
}

TEST(Bisection, GoesAroundACandidateThatCannotBeTold) {
    for (std::size_t first = 1; first < 17; ++first)
        for (std::size_t hole = 1; hole < 16; ++hole) {
            Oracle oracle{.first = first, .holes = {hole}, .asked = {}};
            const Bisection found = ask(oracle, 17);
            const bool hidden = hole == first || hole + 1 == first;
            ASSERT_EQ(found.decided(), !hidden) << first << ' ' << hole;
            if (hidden) {
                EXPECT_THAT(found.unknown, ElementsAre(hole));
            } else {
                EXPECT_EQ(found.first_after, first);
            }
        }
}

TEST(Bisection, NamesTheRangeWhereNothingInsideCanBeTold) {
    Oracle oracle{.first = 3, .holes = {1, 2, 3, 4}, .asked = {}};
    const Bisection found = ask(oracle, 6);
    EXPECT_FALSE(found.decided());
    EXPECT_EQ(found.last_before, 0U);
    EXPECT_EQ(found.first_after, 5U);
    EXPECT_THAT(found.unknown, ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(oracle.asked, SizeIs(4));
}

TEST(Bisection, AnErrorEndsItWithWhatIsKnown) {
    int questions = 0;
    const Bisection found = bisect(100, [&](std::size_t) -> core::Expected<ChangeSide> {
        if (++questions == 2) return core::fail(core::ErrorCode::kInterrupted, "interrupted");
        return ChangeSide::kBefore;
    });
    EXPECT_FALSE(found.decided());
    EXPECT_FALSE(found.ended);
    EXPECT_EQ(found.last_before, 49U);
    EXPECT_EQ(found.first_after, 99U);
}

stats::Finding finding(double low, double high, stats::Verdict verdict) {
    stats::Finding made;
    made.verdict = verdict;
    made.ratio_interval = stats::Interval{low, high};
    return made;
}

TEST(SideOfAChange, HalfOfTheWholeHasToBePassed) {
    const ChangeRule rises{.total_log_ratio = std::log(4.0), .share = 0.5};  // the threshold is 2
    EXPECT_EQ(side_of(finding(2.1, 2.3, stats::Verdict::kSlower), rises), ChangeSide::kAfter);
    EXPECT_EQ(side_of(finding(1.7, 1.9, stats::Verdict::kSlower), rises), ChangeSide::kBefore);
    EXPECT_EQ(side_of(finding(1.9, 2.1, stats::Verdict::kSlower), rises), ChangeSide::kUnknown);
    const ChangeRule falls{.total_log_ratio = std::log(0.25), .share = 0.5};
    EXPECT_EQ(side_of(finding(0.4, 0.45, stats::Verdict::kFaster), falls), ChangeSide::kAfter);
    EXPECT_EQ(side_of(finding(0.6, 0.7, stats::Verdict::kFaster), falls), ChangeSide::kBefore);
    EXPECT_EQ(side_of(stats::Finding{}, falls), ChangeSide::kUnknown);
}

TEST(SideOfAChange, WithoutAShareTheVerdictTells) {
    const ChangeRule rises{.total_log_ratio = std::log(4.0), .share = 0};
    EXPECT_EQ(side_of(finding(1.02, 1.04, stats::Verdict::kSlower), rises), ChangeSide::kAfter);
    EXPECT_EQ(side_of(finding(0.99, 1.01, stats::Verdict::kSame), rises), ChangeSide::kBefore);
    EXPECT_EQ(side_of(finding(0.5, 0.6, stats::Verdict::kFaster), rises), ChangeSide::kBefore);
    EXPECT_EQ(side_of(finding(0.9, 1.2, stats::Verdict::kInconclusive), rises), ChangeSide::kUnknown);
}

using Sides = std::vector<std::optional<ChangeSide>>;

TEST(ChangeBracket, IsTheNarrowestThatTheAnswersAllow) {
    const ChangeBracket bracket = bracket_of(Sides{ChangeSide::kBefore,
                                                   {},
                                                   ChangeSide::kBefore,
                                                   ChangeSide::kUnknown,
                                                   ChangeSide::kAfter,
                                                   {},
                                                   ChangeSide::kAfter});
    EXPECT_EQ(bracket.last_before, 2U);
    EXPECT_EQ(bracket.first_after, 4U);
    EXPECT_FALSE(bracket.returns);
}

TEST(ChangeBracket, SaysWhereAChangeWasTakenBack) {
    const ChangeBracket bracket =
        bracket_of(Sides{ChangeSide::kBefore, ChangeSide::kAfter, ChangeSide::kBefore, {}, ChangeSide::kAfter});
    EXPECT_EQ(bracket.last_before, 0U);
    EXPECT_EQ(bracket.first_after, 1U);
    EXPECT_TRUE(bracket.returns);
}

}  // namespace
}  // namespace tare::history
