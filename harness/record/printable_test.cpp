// At stake: a record from somebody else, shown in a terminal or a CI's log, must not be able to clear the screen, to
// print "0 slower" over what bench says, or to break its table.
#include "harness/record/printable.h"

#include <gmock/gmock.h>

#include "harness/record/markup.h"
#include "harness/record/shared_lines.h"
#include "harness/record/text_grid.h"

namespace tare::record {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Printable, LeavesTextAsItIs) {
    EXPECT_EQ(printable("add[dtype=f8,n=8] ±0.3 % µs ▁▃█ 日本\tx\n"), "add[dtype=f8,n=8] ±0.3 % µs ▁▃█ 日本\tx\n");
    EXPECT_EQ(printable(""), "");
}

TEST(Printable, HasNoControlCharacters) {
    EXPECT_EQ(printable("a\x1b[2Jb\r\x07"), "a\uFFFD[2Jb\uFFFD\uFFFD");
    EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\uFFFDb");
    EXPECT_EQ(printable("\x7f"), "\uFFFD");
    EXPECT_EQ(printable("\xC2\x9B"
                        "31m"),
              "\uFFFD31m")
        << "CSI in one character";
    EXPECT_EQ(printable("\xE2\x80\xAE"
                        "fdp.exe"),
              "\uFFFD"
              "fdp.exe")
        << "right to left";
}

TEST(Printable, EndsWithCharactersThatAreCut) {
    EXPECT_EQ(printable("\xC2"), "\xC2");
    EXPECT_EQ(printable("\xE2\x80"), "\xE2\x80");
}

TEST(Printable, IsWhatTablesHold) {
    const std::vector<Column> columns = {{"case", 0, true}, {"value", 1, true}};
    std::vector<GridRow> rows = {{{"a\x1b[2J\nb", "1\r2"}, nullptr}, {{"c", "d"}, nullptr}};
    for (const std::size_t width : {0U, 40U}) {
        const std::string text = print_grid(columns, rows, width, {});
        EXPECT_THAT(text, Not(HasSubstr("\x1b")));
        EXPECT_THAT(text, Not(HasSubstr("\r")));
        EXPECT_THAT(text, HasSubstr("a\uFFFD[2J b  1\uFFFD2\n")) << "one line";
    }
    EXPECT_EQ(one_line("a\x1b\nb\n"), "a\uFFFD b");
    EXPECT_EQ(markdown_cell("a|\x1b[1m\nb"), "a\\|\uFFFD[1m b");
}

}  // namespace
}  // namespace tare::record
