// At stake: a case is judged by its own margins, first line first, and no wrong line of the file goes unnoticed.
#include "harness/cli/tolerances.h"

#include <gmock/gmock.h>

namespace tare::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Tolerances, TheFirstLineThatIsFoundInTheNameCounts) {
    const auto read = parse_tolerances("# margins\n\n^dot.n=8 1 4\n^dot  2.5\t10\r\na b 3 6", "t");
    ASSERT_TRUE(read) << read.error().what;
    EXPECT_EQ(read->of("dot[n=8]", {}), (stats::Margins{0.01, 0.04}));
    EXPECT_EQ(read->of("dot[n=64]", {}), (stats::Margins{0.025, 0.1}));
    EXPECT_EQ(read->of("a b", {}), (stats::Margins{0.03, 0.06}));
    EXPECT_EQ(read->of("add", {}), stats::Margins{});
    EXPECT_THAT(read->unused({"dot[n=8]", "add"}), ElementsAre("line 4: ^dot  2.5\t10", "line 5: a b 3 6"));
}

TEST(Tolerances, AWrongLineIsNamed) {
    const auto error = [](const char* text) { return parse_tolerances(text, "t").error().what; };
    EXPECT_THAT(error("x 1 2\n^dot 1"), HasSubstr("t, line 2: '^dot 1': it does not end with two numbers"));
    EXPECT_THAT(error("^dot 1 two"), HasSubstr("two numbers"));
    EXPECT_THAT(error("1 2"), HasSubstr("two numbers"));
    EXPECT_THAT(error("^dot 4 1"), HasSubstr("make no margins"));
    EXPECT_THAT(error("a[ 1 2"), HasSubstr("no regular expression"));
}

TEST(Tolerances, AFileThatCannotBeReadIsNamed) {
    EXPECT_THAT(read_tolerances("/proc/absent/t").error().what, HasSubstr("/proc/absent/t"));
    EXPECT_THAT(read_tolerances("/").error().what, HasSubstr("directory"));
    EXPECT_TRUE(read_tolerances("")->lines.empty());
}

}  // namespace
}  // namespace tare::cli
