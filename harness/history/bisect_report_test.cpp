// np.add.at takes 15 % of its time since 1.25.0: the line that says so, and the one where a range is left.
#include "harness/history/bisect_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace tare::history {
namespace {

using testing::HasSubstr;
using testing::Not;

stats::Contrast contrast(double ratio, double standard_error) {
    return {.log_ratio = std::log(ratio), .standard_error = standard_error, .degrees_of_freedom = 9};
}

BisectedCase add_at() {
    return {.name = "add_at[n=8]",
            .last_before = "1.24.4",
            .first_after = "1.25.0",
            .between = {},
            .total_ratio = 0.15,
            .step = contrast(0.15, 0.01),
            .returns = false};
}

TEST(BisectAnswer, NamesTheFirstReleaseAndTheLastOneBefore) {
    EXPECT_EQ(answer_of(add_at()),
              "add_at[n=8]: faster since 1.25.0: -85.0 % [-85.3, -84.7]; 1.24.4 is the last slow one");
}

TEST(BisectAnswer, OfASlowerCaseSpeaksOfTheLastFastOne) {
    BisectedCase slower = add_at();
    slower.total_ratio = 1.2;
    slower.step = contrast(1.2, 0.001);
    EXPECT_THAT(answer_of(slower), HasSubstr("slower since 1.25.0: +20.0 %"));
    EXPECT_THAT(answer_of(slower), HasSubstr("1.24.4 is the last fast one"));
}

TEST(BisectAnswer, IsARangeWhereNoNeighboursWereTold) {
    BisectedCase range = add_at();
    range.between = {"1.24.5"};
    EXPECT_THAT(answer_of(range), HasSubstr("faster since one of 1.24.5 to 1.25.0"));
}

TEST(BisectAnswer, SaysWhatTheEndsDifferByWhereTheStepIsNotAllOfIt) {
    EXPECT_THAT(answer_of(add_at()), Not(HasSubstr("between the ends")));
    BisectedCase part = add_at();
    part.step = contrast(0.3, 0.01);
    EXPECT_THAT(answer_of(part), HasSubstr("(between the ends -85.0 %)"));
}

TEST(StepBetween, TwoDuetsWithOneReferenceAddTheirErrors) {
    const stats::Contrast step = step_between(contrast(1.1, 0.03), contrast(2.2, 0.04));
    EXPECT_NEAR(step.ratio(), 2.0, 1e-12);
    EXPECT_NEAR(step.standard_error, 0.05, 1e-12);
    EXPECT_EQ(step_between(std::nullopt, contrast(2.2, 0.04)), contrast(2.2, 0.04));
}

BisectReport report() {
    BisectReport made;
    made.good = "1.24.4";
    made.bad = "2.0.0";
    made.target = "add_at[n=8]";
    made.cases = {add_at()};
    stats::Finding finding;
    finding.verdict = stats::Verdict::kFaster;
    finding.pairs = 10;
    finding.contrast = contrast(0.15, 0.01);
    finding.ratio_interval = stats::Interval{0.147, 0.153};
    made.steps = {{"2.0.0", finding, ChangeSide::kAfter, ""}, {"1.25.1", {}, ChangeSide::kUnknown, "no wheel"}};
    made.selected = 1;
    return made;
}

TEST(BisectTable, HasALineForEachStepAndTheAnswerBelow) {
    const std::string text = print_bisect_table(report(), 0, {.color = false, .unicode = true});
    EXPECT_THAT(text, HasSubstr("2.0.0   -85.0 %  [-85.3, -84.7]     10  faster   after"));
    EXPECT_THAT(text, HasSubstr("no wheel"));
    EXPECT_THAT(text, HasSubstr("\nadd_at[n=8]: faster since 1.25.0"));
}

TEST(BisectJson, HoldsWhatTheTableShows) {
    const std::string text = print_bisect_json(report());
    for (const char* part : {"\"first_after\": \"1.25.0\"", "\"verdict\": \"faster\"", "\"problem\": \"no wheel\"",
                             "\"step_ratio\": 0.15", "\"decided\": true"})
        EXPECT_THAT(text, HasSubstr(part));
}

}  // namespace
}  // namespace tare::history
