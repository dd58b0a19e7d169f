// At stake: a name of 20,000 characters ended `bench trend` by SIGSEGV; one of 300,000 did so for the plainest pattern.
#include "harness/history/name_pattern.h"

#include <gmock/gmock.h>

namespace tare::history {
namespace {

using testing::HasSubstr;

bool finds(const std::string& pattern, const std::string& name) {
    const auto parsed = NamePattern::parse(pattern);
    EXPECT_TRUE(parsed) << pattern;
    return parsed && parsed->is_in(name);
}

TEST(NamePatternTest, IsSearchedInNamesAsUsersOfFiltersKnowIt) {
    EXPECT_TRUE(finds("", "add[n=8]"));
    EXPECT_TRUE(finds("^add\\[", "add[n=8]"));
    EXPECT_FALSE(finds("^dd", "add[n=8]"));
    EXPECT_TRUE(finds("n=\\d+\\]$", "add[n=8]"));
    EXPECT_TRUE(finds("^(add|dot)\\b.*[[:digit:]]{1,3}", "dot[n=8]"));
    EXPECT_TRUE(finds("^.s$", "µs"));
    EXPECT_FALSE(finds("ADD", "add[n=8]"));
}

TEST(NamePatternTest, TakesNamesOfAnyLength) {
    const std::string name = "b" + std::string(1'000'000, 'x') + "[n=8]";
    EXPECT_FALSE(finds("b.*c|(a|x)*z", name));
    EXPECT_TRUE(finds("^b.*8\\]$", name));
    EXPECT_FALSE(finds("(x*)*y", name));
}

TEST(NamePatternTest, RefusesWhatItCannotSearch) {
    const auto open = NamePattern::parse("add[");
    ASSERT_FALSE(open);
    EXPECT_EQ(open.error().code, core::ErrorCode::kUsage);
    EXPECT_THAT(open.error().what, HasSubstr("'add[' is no regular expression: "));
    EXPECT_THAT(open.error().hint, HasSubstr("escape brackets"));
    for (const char* unknown : {"^(?!add)", "(a)\\1"}) {
        const auto refused = NamePattern::parse(unknown);
        ASSERT_FALSE(refused);
        EXPECT_THAT(refused.error().hint, HasSubstr("lookahead"));
    }
    EXPECT_FALSE(NamePattern::parse(std::string(100'000, '(')));
}

}  // namespace
}  // namespace tare::history
