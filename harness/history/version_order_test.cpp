// At stake: a build 1.26.4+local1 taken for an alpha stands before 1.26.4rc1, and a change is named at the wrong
// release. The rows are those of PEP 440's own examples and of builds that distributors name.
#include "harness/history/version_order.h"

#include <gmock/gmock.h>

namespace tare::history {
namespace {

using testing::Lt;

TEST(VersionOrder, IsThatOfPep440FromTheOldestToTheNewest) {
    const std::vector<std::string> kAscending = {
        "1.0.dev456",    "1.0a1",           "1.0a2.dev456",    "1.0a12.dev456",
        "1.0a12",        "1.0b1.dev456",    "1.0b2",           "1.0b2.post345.dev456",
        "1.0b2.post345", "1.0rc1.dev456",   "1.0rc1",          "1.0",
        "1.0+abc.5",     "1.0+abc.7",       "1.0+5",           "1.0.post456.dev34",
        "1.0.post456",   "1.1.dev1",        "1.26.4rc1",       "1.26.4",
        "1.26.4+local1", "2.0.0.dev0+git1", "2.0.0a1",         "2.0.0rc1.dev3",
        "2.0.0rc1",      "2.0.0rc10",       "2.0.0",           "2.4.6.dev0",
        "2.4.6",         "2.4.6+vendor.2",  "2.4.6+vendor.10", "2.4.6.post1",
        "2.9",           "2.9.1",           "2.10.0",          "1!1.0"};
    for (std::size_t i = 0; i < kAscending.size(); ++i)
        for (std::size_t j = i + 1; j < kAscending.size(); ++j) {
            EXPECT_THAT(version_order(kAscending[i]), Lt(version_order(kAscending[j])))
                << kAscending[i] << " before " << kAscending[j];
            EXPECT_FALSE(version_order(kAscending[j]) < version_order(kAscending[i]));
        }
}

TEST(VersionOrder, PutsALocalBuildBehindItsReleaseWhateverItIsCalled) {
    for (const std::string local : {"+vendor.dev", "+local1", "+b1", "+rc1", "+a", "+post"})
        EXPECT_THAT(version_order("2.4.6"), Lt(version_order("2.4.6" + local))) << local;
}

TEST(VersionOrder, TakesOtherSpellingsForTheSame) {
    const auto same = [](const std::string& one, const std::string& other) {
        VersionOrder a = version_order(one), b = version_order(other);
        a.text = b.text = "";
        return a == b;
    };
    EXPECT_TRUE(same("2.0", "2.0.0"));
    EXPECT_TRUE(same("v2.0.0-RC.1", "2.0rc1"));
    EXPECT_TRUE(same("2.0_alpha", "2.0a0"));
    EXPECT_TRUE(same("2.0preview3", "2.0c3"));
    EXPECT_TRUE(same("2.0-1", "2.0.post1"));
    EXPECT_TRUE(same("2.0.r4", "2.0.post4"));
    EXPECT_FALSE(same("2.0", "2.0.1"));
}

TEST(VersionOrder, OfWhatIsNoVersionIsItsText) {
    EXPECT_THAT(version_order("main"), Lt(version_order("other")));
    EXPECT_THAT(version_order("main"), Lt(version_order("0.1")));
    EXPECT_THAT(version_order("99999999999999999999.1").numbers.size(), 2U) << "too large a number is the largest";
}

}  // namespace
}  // namespace tare::history
