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
    EXPECT_THAT(take_moved(changes, Renaming::kPossible), ElementsAre("f: a.py -> b.py"));
    EXPECT_THAT(names(changes), ElementsAre("slower", "g", "g")) << "g is moved and changed";
}

TEST(MovedFunctions, AreRenamedWhereACountThatIsNotSmallIsTheirsAlone) {
    std::vector<Change> changes = {gone("old", "a.py", {1800, 1800, 1800}), fresh("new", "a.py", {1800, 1800, 1800}),
                                   gone("small", "a.py", {499, 499, 499}), fresh("tiny", "a.py", {499, 499, 499})};
    EXPECT_THAT(take_moved(changes, Renaming::kPossible), ElementsAre("old -> new (a.py)"));
    EXPECT_THAT(names(changes), ElementsAre("small", "tiny"));
}

TEST(MovedFunctions, AreNoneWhereThreeHaveTheCountOrItsRangesDiffer) {
    for (std::vector<Change> changes :
         {std::vector<Change>{gone("old", "a.py", {1800, 1800, 1800}), fresh("one", "a.py", {1800, 1800, 1800}),
                              fresh("other", "a.py", {1800, 1800, 1800})},
          std::vector<Change>{gone("old", "a.py", {1800, 1800, 1800}), gone("older", "a.py", {1800, 1800, 1800}),
                              fresh("one", "a.py", {1800, 1800, 1800})},
          std::vector<Change>{gone("old", "a.py", {1800, 1800, 1800}), fresh("one", "a.py", {1800, 1700, 1800})},
          std::vector<Change>{gone("old", "a.py", {1800, 1800, 1800}), fresh("one", "b.py", {1800, 1800, 1800})}}) {
        const std::size_t before = changes.size();
        EXPECT_THAT(take_moved(changes, Renaming::kPossible), IsEmpty());
        EXPECT_EQ(changes.size(), before);
    }
}

TEST(MovedFunctions, MoveBeforeAnotherIsTakenForARenamedOne) {
    std::vector<Change> changes = {gone("old", "a.py", {1800, 1800, 1800}), gone("f", "b.py", {1800, 1800, 1800}),
                                   fresh("f", "a.py", {1800, 1800, 1800})};
    EXPECT_THAT(take_moved(changes, Renaming::kPossible), ElementsAre("f: b.py -> a.py"));
    EXPECT_THAT(names(changes), ElementsAre("old"));
    std::vector<Change> both = {gone("old", "a.py", {1800, 1800, 1800}), gone("f", "b.py", {1800, 1800, 1800}),
                                fresh("f", "a.py", {1800, 1800, 1800}), fresh("new", "a.py", {1800, 1800, 1800})};
    EXPECT_THAT(take_moved(both, Renaming::kPossible), ElementsAre("old -> new (a.py)", "f: b.py -> a.py"));
}

TEST(MovedFunctions, AreNotThoseThatHaveNoName) {
    std::vector<Change> changes = {gone("(without a name)", "a.so", {3, 3, 3}),
                                   fresh("(without a name)", "b.so", {3, 3, 3})};
    EXPECT_THAT(take_moved(changes, Renaming::kPossible), IsEmpty());
}

TEST(MovedFunctions, OfADifferenceAreNativeOnesAndPythons) {
    LedgerDifference difference;
    difference.functions = {gone("f", "a.so", {60, 60, 60}), fresh("f", "b.so", {60, 60, 60}),
                            gone("meth_dealloc", "python", {700, 700, 700}),
                            fresh("_PyUnicode_XStrip", "python", {700, 700, 700})};
    difference.python_functions = {gone("g", "a.py", {700, 700, 700}), fresh("h", "a.py", {700, 700, 700})};
    take_moved(difference);
    EXPECT_THAT(difference.moved, ElementsAre("f: a.so -> b.so", "g -> h (a.py)"));
    EXPECT_THAT(names(difference.functions), ElementsAre("meth_dealloc", "_PyUnicode_XStrip")) << "by chance";
    EXPECT_THAT(difference.python_functions, IsEmpty());
}

}  // namespace
}  // namespace tare::attribution
