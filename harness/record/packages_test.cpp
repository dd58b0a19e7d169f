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

Value with_libraries(const std::string& umath, const std::string& libc, const std::string& numpy = "2.4.6") {
    Map subject{{"packages", Map{{"numpy", numpy}}}};
    add_packages(subject, Map{{"packages", Map{{"numpy", numpy}}},
                              {"libraries", Map{{"/v/lib/python3.11/site-packages/numpy/_core/_umath.so", umath},
                                                {"/v/lib/python3.11/site-packages/numpy.libs/libgfortran.so", umath},
                                                {"/lib/x86_64-linux-gnu/libc.so.6", libc}}}});
    return subject;
}

TEST(NativeLibraryBuilds, AreToldApartWhereTheVersionIsTheSame) {
    const Value old = with_libraries("aa", "cc");
    EXPECT_EQ(old["libraries"]["numpy/_core/_umath.so"].as_text(), "aa");
    EXPECT_EQ(libraries_note(old, with_libraries("ab", "cc")),
              "other builds: numpy.libs/libgfortran.so, numpy/_core/_umath.so");
    EXPECT_EQ(libraries_note(old, with_libraries("aa", "cd")), "other builds: libc.so.6");
    EXPECT_EQ(libraries_note(old, old), "");
    EXPECT_EQ(libraries_note(old, with_libraries("ab", "cc", "2.5.0")), "") << "another version says it";
    EXPECT_EQ(libraries_note(old, Map{}), "") << "a record of before";
}

TEST(NativeLibraryBuilds, OfADistributionWithAnotherNameAreToldWhereNoVersionDiffers) {
    const auto with = [](const char* version, const char* build_id) {
        Map subject;
        add_packages(subject, Map{{"packages", Map{{"scikit-learn", version}}},
                                  {"libraries", Map{{"/v/site-packages/sklearn/tree.so", build_id},
                                                    {"/v/site-packages/_cffi_backend.cpython-311-x86_64.so", build_id},
                                                    {"/usr/lib/libpython3.11.so.1.0", build_id}}}});
        return subject;
    };
    EXPECT_EQ(libraries_note(with("1.3", "a"), with("1.4", "b")), "");
    EXPECT_EQ(libraries_note(with("1.3", "a"), with("1.3", "b")),
              "other builds: _cffi_backend.cpython-311-x86_64.so, sklearn/tree.so");
}

TEST(NativeLibraryBuilds, AreNotAllNamed) {
    Map old, fresh;
    for (const char* name : {"a.so", "b.so", "c.so", "d.so", "e.so"}) {
        add_packages(old, Map{{"libraries", Map{{name, "1"}}}});
        add_packages(fresh, Map{{"libraries", Map{{name, "2"}}}});
    }
    EXPECT_EQ(libraries_note(old, fresh), "other builds: a.so, b.so, c.so and 2 more");
}

}  // namespace
}  // namespace tare::record
