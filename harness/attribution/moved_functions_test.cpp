// At stake: a release that moves 300 functions into another file shows 600 rows of gone and new, and among them the one
// that became slower.
#include "harness/attribution/moved_functions.h"

#include <gmock/gmock.h>

namespace tare::attribution {
namespace {

using core::Count;
using core::LedgerDifference;
using testing::ElementsAre;
using testing::IsEmpty;
using Change = LedgerDifference::Change;
using Kind = LedgerDifference::Kind;

Change gone(const char* name, const char* module, Count count) {
    return {.name = name,
            .module = module,
            .layer = {},
            .before = count,
            .after = {},
            .kind = Kind::kGone,
            .change = -static_cast<std::int64_t>(count.value)};
}

Change fresh(const char* name, const char* module, Count count) {
    return {.name = name,
            .module = module,
            .layer = {},
            .before = {},
            .after = count,
            .kind = Kind::kNew,
            .change = static_cast<std::int64_t>(count.value)};
}

std::vector<std::string> names(const std::vector<Change>& changes) {
    std::vector<std::string> all;
    for (const Change& change : changes) all.push_back(change.name);
    return all;
}

TEST(MovedFunctions, AreThoseWithOneNameAndOneCountInTwoFiles) {
    std::vector<Change> changes = {fresh("slower", "b.py", {900, 900, 900}), gone("f", "a.py", {7, 7, 9}),
                                   fresh("f", "b.py", {7, 7, 9}), gone("g", "a.py", {8, 8, 8}),
                                   fresh("g", "b.py", {9, 9, 9})};
    EXPECT_THAT(take_moved(changes), ElementsAre("f: a.py -> b.py"));
    EXPECT_THAT(names(changes), ElementsAre("slower", "g", "g")) << "g is moved and changed";
}

TEST(MovedFunctions, AreRenamedWhereACountThatIsNotSmallIsTheirsAlone) {
    std::vector<Change> changes = {gone("old", "a.py", {180, 180, 180}), fresh("new", "a.py", {180, 180, 180}),
                                   gone("small", "a.py", {49, 49, 49}), fresh("tiny", "a.py", {49, 49, 49})};
    EXPECT_THAT(take_moved(changes), ElementsAre("old -> new (a.py)"));
    EXPECT_THAT(names(changes), ElementsAre("small", "tiny"));
}

TEST(MovedFunctions, AreNoneWhereThreeHaveTheCountOrItsRangesDiffer) {
    for (std::vector<Change> changes :
         {std::vector<Change>{gone("old", "a.py", {180, 180, 180}), fresh("one", "a.py", {180, 180, 180}),
                              fresh("other", "a.py", {180, 180, 180})},
          std::vector<Change>{gone("old", "a.py", {180, 180, 180}), gone("older", "a.py", {180, 180, 180}),
                              fresh("one", "a.py", {180, 180, 180})},
          std::vector<Change>{gone("old", "a.py", {180, 180, 180}), fresh("one", "a.py", {180, 170, 180})},
          std::vector<Change>{gone("old", "a.py", {180, 180, 180}), fresh("one", "b.py", {180, 180, 180})}}) {
        const std::size_t before = changes.size();
        EXPECT_THAT(take_moved(changes), IsEmpty());
        EXPECT_EQ(changes.size(), before);
    }
}

TEST(MovedFunctions, MoveBeforeAnotherIsTakenForARenamedOne) {
    std::vector<Change> changes = {gone("old", "a.py", {180, 180, 180}), gone("f", "b.py", {180, 180, 180}),
                                   fresh("f", "a.py", {180, 180, 180})};
    EXPECT_THAT(take_moved(changes), ElementsAre("f: b.py -> a.py"));
    EXPECT_THAT(names(changes), ElementsAre("old"));
    std::vector<Change> both = {gone("old", "a.py", {180, 180, 180}), gone("f", "b.py", {180, 180, 180}),
                                fresh("f", "a.py", {180, 180, 180}), fresh("new", "a.py", {180, 180, 180})};
    EXPECT_THAT(take_moved(both), ElementsAre("old -> new (a.py)", "f: b.py -> a.py"));
}

TEST(MovedFunctions, AreNotThoseThatHaveNoName) {
    std::vector<Change> changes = {gone("(without a name)", "a.so", {3, 3, 3}),
                                   fresh("(without a name)", "b.so", {3, 3, 3})};
    EXPECT_THAT(take_moved(changes), IsEmpty());
}

TEST(MovedFunctions, OfADifferenceAreNativeOnesAndPythons) {
    LedgerDifference difference;
    difference.functions = {gone("f", "a.so", {60, 60, 60}), fresh("f", "b.so", {60, 60, 60})};
    difference.python_functions = {gone("g", "a.py", {70, 70, 70}), fresh("h", "a.py", {70, 70, 70})};
    take_moved(difference);
    EXPECT_THAT(difference.moved, ElementsAre("f: a.so -> b.so", "g -> h (a.py)"));
    EXPECT_THAT(difference.functions, IsEmpty());
    EXPECT_THAT(difference.python_functions, IsEmpty());
}

}  // namespace
}  // namespace tare::attribution
