// At stake: a case that one side lacks is reported, never measured against another one.
#include "harness/cli/duet_plan.h"

#include <gmock/gmock.h>

namespace tare::cli {
namespace {

using record::Presence;
using testing::ElementsAre;
using testing::HasSubstr;

core::Catalogue catalogue(const std::vector<std::string>& operations) {
    core::Catalogue result;
    for (const std::string& operation : operations)
        result.cases.push_back({.operation = operation, .parameters = {}, .statement = operation + "()", .rungs = {}});
    return result;
}

std::vector<std::string> described(const std::vector<record::DuetCase>& cases) {
    std::vector<std::string> texts;
    for (const record::DuetCase& each : cases)
        texts.push_back(each.name + "/" + each.statement_a + "/" + each.statement_b);
    return texts;
}

TEST(PairCases, JoinsBothSidesByNameAndKeepsWhatOneSideLacks) {
    const auto cases = pair_cases(catalogue({"x", "y", "z"}), catalogue({"w", "z", "x"}), "", {}, {});
    ASSERT_TRUE(cases) << cases.error().what;
    EXPECT_THAT(described(*cases), ElementsAre("x/x()/x()", "y/y()/", "z/z()/z()", "w//w()"));
    EXPECT_EQ((*cases)[1].presence, Presence::kOnlyA);
    EXPECT_EQ((*cases)[3].presence, Presence::kOnlyB);
    const auto measured = measured_cases(*cases, catalogue({"x", "y", "z"}));
    ASSERT_EQ(measured.size(), 2u);
    EXPECT_EQ(measured[0].name(), "x");
    EXPECT_EQ(measured[1].name(), "z");
}

TEST(PairCases, AFilterThatMatchesOneSideOnlyOrNoneIsAnError) {
    EXPECT_THAT(pair_cases(catalogue({"x", "y"}), catalogue({"x"}), "y", {}, {}).error().what,
                HasSubstr("none of 1 selected cases is on both sides: 1 on a only, 0 on b only"));
    EXPECT_THAT(pair_cases(catalogue({"x"}), catalogue({"x"}), "q", {}, {}).error().what,
                HasSubstr("--filter 'q' matches none"));
}

TEST(PairCases, AppliesTheTolerancesOfTheFile) {
    const auto cases =
        pair_cases(catalogue({"x", "y"}), catalogue({"x", "y"}), "", {}, *parse_tolerances("y 1 5", "t"));
    ASSERT_TRUE(cases);
    EXPECT_EQ((*cases)[0].margins, stats::Margins{});
    EXPECT_EQ((*cases)[1].margins, (stats::Margins{0.01, 0.05}));
}

}  // namespace
}  // namespace tare::cli
