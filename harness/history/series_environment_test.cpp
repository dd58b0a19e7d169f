// A series of CPython 3.12 and a duet of CPython 3.11 are two stories: one must not refute the other.
#include "harness/history/series_environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tare::history {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kPlain = "CPython 3.11.2, executable, 1 thread";

TEST(SeriesEnvironment, IsReadBackFromItsText) {
    const SeriesEnvironment read = read_environment(
        "CPython 3.13.1t, embedded, 4 threads, OPENBLAS_CORETYPE=Haswell, MALLOC_ARENA_MAX=1, build "
        "1a2b3c4d+99887766");
    EXPECT_EQ(read.interpreter, "CPython 3.13.1t");
    EXPECT_EQ(read.host, "embedded");
    EXPECT_EQ(read.threads, 4);
    EXPECT_THAT(read.variables, ElementsAre("MALLOC_ARENA_MAX=1", "OPENBLAS_CORETYPE=Haswell"));
    EXPECT_EQ(read.build, "1a2b3c4d+99887766");
    EXPECT_THAT(read.other_facts, IsEmpty());
}

TEST(SeriesEnvironment, KeepsSetUpCodeWhole) {
    EXPECT_THAT(read_environment("CPython 3.11.2, executable, 1 thread, unroll 2, setup x, y = 1, 2").other_facts,
                ElementsAre("unroll 2", "setup x, y = 1, 2"));
    const SeriesEnvironment each = read_environment("CPython 3.11.2, executable, 1 thread, setup_each m = f(l, A=1)");
    EXPECT_THAT(each.other_facts, ElementsAre("setup_each m = f(l, A=1)"));
    EXPECT_THAT(each.variables, testing::IsEmpty());
}

TEST(SeriesEnvironment, OfTheSameSurroundingsDoesNotDiffer) {
    EXPECT_EQ(difference_between(read_environment(kPlain), read_environment(kPlain)), "");
    EXPECT_EQ(difference_between(read_environment("CPython 3.11.2, executable, 4 threads"), read_environment(kPlain)),
              "")
        << "a duet takes the series' threads";
}

TEST(SeriesEnvironment, IsAboutAPackageThatMustBeNamed) {
    const SeriesEnvironment series = read_environment("CPython 3.11.2, executable, 1 thread, about shapely");
    EXPECT_EQ(series.package, "shapely");
    SeriesEnvironment here = read_environment(kPlain);
    EXPECT_THAT(difference_between(series, here), HasSubstr("say --package shapely"));
    here.package = "shapely";
    EXPECT_EQ(difference_between(series, here), "");
    EXPECT_EQ(difference_between(read_environment(kPlain), here), "") << "records that do not say";
}

TEST(SeriesEnvironment, SaysWhatDiffers) {
    const auto told = [](const char* series) {
        return difference_between(read_environment(series), read_environment(std::string(kPlain) + ", build aa"));
    };
    EXPECT_EQ(told("CPython 3.12.9, executable, 1 thread"), "measured with CPython 3.12.9, --python is CPython 3.11.2");
    EXPECT_THAT(told("CPython 3.11.2t, executable, 1 thread"), HasSubstr("CPython 3.11.2t"));
    EXPECT_THAT(told("CPython 3.11.2, embedded, 1 thread"), HasSubstr("embedded"));
    EXPECT_THAT(told("CPython 3.11.2, executable, 1 thread, OPENBLAS_CORETYPE=Haswell"),
                HasSubstr("OPENBLAS_CORETYPE=Haswell, here is none"));
    EXPECT_THAT(told("CPython 3.11.2, executable, 1 thread, unroll 2"), HasSubstr("unroll 2"));
    EXPECT_THAT(told("CPython 3.11.2, executable, 1 thread, build bb"), HasSubstr("another build"));
    EXPECT_THAT(told(kPlain), HasSubstr("an unknown build"));
    EXPECT_EQ(told("CPython 3.11.2, executable, 1 thread, build aa"), "");
    EXPECT_THAT(told("asv on a machine"), HasSubstr("not known"));
    EXPECT_THAT(told(""), HasSubstr("not known"));
}

TEST(SeriesEnvironment, VariablesSetHereDifferToo) {
    EXPECT_THAT(difference_between(read_environment(kPlain),
                                   read_environment("CPython 3.11.2, executable, 1 thread, OMP_WAIT_POLICY=active")),
                HasSubstr("no variables set, here is OMP_WAIT_POLICY=active"));
}

}  // namespace
}  // namespace tare::history
