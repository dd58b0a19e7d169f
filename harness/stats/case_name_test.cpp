// At stake: a case read back from a record is the case that was measured, also where its parameters hold commas.
#include "harness/stats/case_name.h"

#include <gmock/gmock.h>

namespace tare::stats {
namespace {

TEST(CaseName, GivesBackWhatTheCaseWasMadeOf) {
    const core::Case original{"add", {{"kind", "array"}, {"shape", "(2,3)"}, {"n", "8"}}, "x + y", {}};
    const CaseName parts = parse_case_name(original.name());
    EXPECT_EQ(parts.operation, "add");
    EXPECT_EQ(parts.parameters, original.parameters);
    EXPECT_EQ(parts.operation + parameters_text(parts.parameters), original.name());
}

TEST(CaseName, TakesAUsersExpressionAsAnOperation) {
    for (const char* text : {"a @ b", "x[i]", "x[i==1]", "x[2:5]", "[a,b]", "f(x)[k", "x[a=1](b=2]", ""}) {
        EXPECT_EQ(parse_case_name(text).operation, text);
        EXPECT_TRUE(parse_case_name(text).parameters.empty()) << text;
    }
}

TEST(CaseName, KeepsAnEmptyValueApartFromAMissingParameter) {
    const CaseName parts = parse_case_name("add[out=]");
    EXPECT_EQ(parts.parameter("out"), "");
    EXPECT_EQ(parts.parameter("n"), std::nullopt);
}

}  // namespace
}  // namespace tare::stats
