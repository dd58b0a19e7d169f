// At stake: six duets of add must not take the six runs of mul out of the table.
#include "harness/history/time_series.h"

#include <gmock/gmock.h>

namespace tare::history {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

core::Series series(const std::string& name, const std::string& metric, int points,
                    const std::string& environment = "CPython 3.11") {
    core::Series made;
    made.key = {"machine", environment, name, metric, metric == "anchored" ? "numpy 2.4.6" : ""};
    for (int i = 0; i < points; ++i) made.points.push_back({"r", static_cast<double>(i), "", "", 1, {}, {}, 5});
    return made;
}

std::vector<std::string> names(const std::vector<core::Series>& all) {
    std::vector<std::string> found;
    for (const core::Series& each : all) found.push_back(each.key.metric + " " + each.key.case_name);
    return found;
}

TEST(ChosenTimes, AreTheAnchoredOnesAndGrossWhereACaseHasNone) {
    EXPECT_THAT(
        names(chosen_times({series("add", "gross", 6), series("mul", "gross", 6)}, {series("add", "anchored", 6)})),
        ElementsAre("anchored add", "gross mul"));
}

TEST(ChosenTimes, BeginWithTheMetricOfTheLongestSeries) {
    EXPECT_THAT(names(chosen_times({series("add", "gross", 20), series("mul", "gross", 4)},
                                   {series("add", "anchored", 3), series("mul", "anchored", 4)})),
                ElementsAre("gross add", "anchored mul"));
}

TEST(ChosenTimes, AreChosenForEachEnvironmentWhateverTheReferencesBuild) {
    EXPECT_THAT(names(chosen_times({series("add", "gross", 3), series("add", "gross", 3, "CPython 3.12")},
                                   {series("add", "anchored", 3, "CPython 3.11, reference build 0badc0de")})),
                ElementsAre("anchored add", "gross add"));
}

TEST(ChosenTimes, LeaveOutWhatSingleDuetsLeftWhereThereAreHistories) {
    EXPECT_THAT(names(chosen_times({series("add", "gross", 5), series("mul", "gross", 1)},
                                   {series("add", "anchored", 1), series("mul", "anchored", 1)})),
                ElementsAre("gross add", "gross mul"));
    EXPECT_THAT(names(chosen_times({series("add", "gross", 1)}, {series("add", "anchored", 1)})),
                ElementsAre("anchored add"));
}

TEST(ChosenTimes, OfNothingAreNothing) {
    EXPECT_THAT(chosen_times({}, {}), IsEmpty());
    EXPECT_THAT(names(chosen_times({}, {series("add", "anchored", 1)})), ElementsAre("anchored add"));
}

}  // namespace
}  // namespace tare::history
