// At stake: which layer made 1.00 s 0.70 s, and never a claim where sampling alone explains it.
#include "harness/record/profile_difference_table.h"

#include <gmock/gmock.h>

#include <sstream>

#include "harness/record/golden.h"
#include "harness/record/json.h"
#include "harness/record/sample_profile.h"

namespace tare::record {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(ProfileDifference, NamesLayersAndFunctionsWithTheirErrors) {
    expect_golden("profile_difference.txt", print_profile_difference(sample_profile_difference(), {}));
    expect_golden("profile_difference.md", profile_difference_markdown(sample_profile_difference(), {}));
    expect_golden("profile_difference.csv", profile_difference_csv(sample_profile_difference()));
}

TEST(ProfileDifference, FitsEveryWidthFromFortyUp) {
    for (std::size_t width = 40; width <= 140; ++width) {
        ProfileTableOptions options;
        options.width = width;
        options.style.unicode = width % 2 == 0;
        std::istringstream lines(print_profile_difference(sample_profile_difference(), options));
        for (std::string line; std::getline(lines, line);) EXPECT_LE(text_columns(line), width) << line;
    }
}

TEST(ProfileDifference, ColoursOnlyWhatIsToldApart) {
    ProfileTableOptions options;
    options.style.color = true;
    const std::string text = print_profile_difference(sample_profile_difference(), options);
    EXPECT_THAT(text, AllOf(HasSubstr("\033[32mblas_kernel"), HasSubstr("\033[31mjit"), HasSubstr("\ninterpreter")));
}

TEST(ProfileDifference, ClaimsNoChangeOfTheWholeThatSamplingExplains) {
    core::ProfileDifference difference = sample_profile_difference();
    difference.total.told_apart = false;
    EXPECT_THAT(print_profile_difference(difference, {}), HasSubstr("-300 ms ±82.0 ms, not told apart"));
}

TEST(ProfileDifference, JsonHoldsAllOfIt) {
    const Json json = Json::parse(profile_difference_json(sample_profile_difference()));
    EXPECT_EQ(json["kind"], "profile difference");
    EXPECT_EQ(json["sides"], Json::parse(R"(["old","new"])"));
    EXPECT_EQ(json["layers"][0]["change_ns"], -350e6);
    EXPECT_EQ(json["layers"][0]["error_ns"], 3.5e7);
    EXPECT_EQ(json["layers"][2]["told_apart"], false);
    EXPECT_EQ(json["layers"][1]["before"]["samples"], 0);
    EXPECT_EQ(json["functions"][1]["kind"], "python");
    EXPECT_EQ(json["total"]["after_ratio"], 1.0);
    EXPECT_EQ(json["notes"].size(), 1U);
}

}  // namespace
}  // namespace tare::record
