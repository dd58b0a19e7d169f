// At stake: which version a value is of. Two versions of shapely, one of them 126 times slower, were one point.
#include "harness/record/packages.h"

#include <gmock/gmock.h>

namespace tare::record {
namespace {

using core::Map;
using core::Value;
using testing::ElementsAre;
using testing::IsEmpty;

Value subject(const std::string& shapely) {
    return Map{{"packages", Map{{"numpy", "2.4.6"}, {"shapely", shapely}}}};
}

TEST(Packages, AreReadWithWhatTheyWereInstalledFrom) {
    const Value built =
        Map{{"packages", Map{{"pandas", "3.0.0.dev0"}, {"numpy", "2.4.6"}}},
            {"package_builds", Map{{"pandas", Map{{"commit", "1a2b3c4d5e6f7a8b"}, {"editable", true}}}}}};
    const Packages packages = packages_of(built);
    EXPECT_EQ(package_text(packages.at("pandas")), "3.0.0.dev0 (editable, 1a2b3c4d5e6f)");
    EXPECT_EQ(package_text(packages.at("numpy")), "2.4.6");
    EXPECT_THAT(packages_of(Value()), IsEmpty());
}

TEST(Packages, DifferWhereAVersionDoesOrOneSideHasNone) {
    Map more = subject("2.0.2").as_map();
    add_packages(more, Map{{"packages", Map{{"pandas", "2.3.3"}}}});
    const Packages a = packages_of(subject("2.0.1")), b = packages_of(more);
    EXPECT_THAT(differing_packages(a, b), ElementsAre("pandas", "shapely"));
    EXPECT_THAT(differing_packages(b, a), ElementsAre("pandas", "shapely"));
    EXPECT_EQ(packages_text(a, differing_packages(a, b)), ", no pandas, shapely 2.0.1");
    EXPECT_EQ(packages_text(b, differing_packages(a, b)), ", pandas 2.3.3, shapely 2.0.2");
    EXPECT_THAT(differing_packages(a, a), IsEmpty());
}

TEST(Packages, OfARecordThatDoesNotSayDifferInNothing) {
    EXPECT_THAT(differing_packages(packages_of(subject("2.0.1")), {}), IsEmpty());
    EXPECT_THAT(differing_packages({}, packages_of(subject("2.0.1"))), IsEmpty());
}

TEST(Packages, AreNotedWhereTheyDifferOrOneSideNamesNone) {
    const Value a = subject("2.0.1"), b = subject("2.0.2");
    EXPECT_EQ(packages_note(a, b), "packages that differ: shapely 2.0.1 and 2.0.2");
    EXPECT_EQ(packages_note(a, a), "");
    EXPECT_EQ(packages_note(Value(), Value()), "");
    EXPECT_EQ(packages_note(Value(), b), "the old record names no package that was loaded");
    EXPECT_EQ(packages_note(a, Value()), "the new record names no package that was loaded");
}

TEST(Packages, AreNamedAsIndexesCompareThem) {
    EXPECT_EQ(normalized_package("Ruamel.YAML"), "ruamel-yaml");
    EXPECT_EQ(normalized_package("a__b-.c"), "a-b-c");
}

}  // namespace
}  // namespace tare::record
