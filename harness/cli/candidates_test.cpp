// Sorted as texts, 1.9 is newer than 1.24: a bisection would walk the wrong way.
#include "harness/cli/candidates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tare::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kListed =
    "WARNING: something\nnumpy (2.4.6)\nAvailable versions: 2.4.6, 2.5.0rc1, 2.0.0, 1.24.4, 1.10.0.post2, 1.9.3\n"
    "  INSTALLED: 1.24.2\n";

TEST(Releases, AreFinalOnesOldestFirst) {
    EXPECT_THAT(releases_in(kListed), ElementsAre("1.9.3", "1.24.4", "2.0.0", "2.4.6"));
}

TEST(Releases, AreNoneInAnotherText) {
    EXPECT_THAT(releases_in("ERROR: unknown command\n"), IsEmpty());
    EXPECT_THAT(releases_in(""), IsEmpty());
}

TEST(Releases, AreOrderedByNumber) {
    EXPECT_TRUE(is_older("1.9.3", "1.24.0"));
    EXPECT_FALSE(is_older("2.0.0", "1.26.4"));
    EXPECT_FALSE(is_older("2.0.0", "2.0.0"));
}

TEST(Between, HoldsBothEnds) {
    const auto found = between(releases_in(kListed), "1.24.4", "2.4.6");
    ASSERT_TRUE(found);
    EXPECT_THAT(*found, ElementsAre("1.24.4", "2.0.0", "2.4.6"));
}

TEST(Between, HoldsAnEndThatIsNotListedInItsPlace) {
    const auto found = between(releases_in(kListed), "1.25.0", "2.4.0");  // 2.4.0 was yanked, and can be installed
    ASSERT_TRUE(found);
    EXPECT_THAT(*found, ElementsAre("1.25.0", "2.0.0", "2.4.0"));
}

TEST(Between, RefusesAnEndThatIsNoFinalRelease) {
    for (const char* end : {"main", "2.5.0rc1", ""}) {
        const auto found = between(releases_in(kListed), "1.24.4", end);
        ASSERT_FALSE(found);
        EXPECT_THAT(found.error().what, HasSubstr(end));
        EXPECT_THAT(found.error().hint, HasSubstr("--build"));
    }
}

TEST(Between, WantsTheOlderOneFirst) {
    const auto found = between(releases_in(kListed), "2.0.0", "1.24.4");
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, core::ErrorCode::kUsage);
    EXPECT_FALSE(between(releases_in(kListed), "2.0.0", "2.0.0"));
}

}  // namespace
}  // namespace tare::cli
