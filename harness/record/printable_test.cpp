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

TEST(Printable, IsUtf8WhateverTheBytes) {
    EXPECT_EQ(printable("\xC2"), "\uFFFD");
    EXPECT_EQ(printable("a\xE2\x80"), "a\uFFFD\uFFFD");
    EXPECT_EQ(printable("pool \xff 1"), "pool \uFFFD 1");
    EXPECT_EQ(printable("\x9B"
                        "31m"),
              "\uFFFD31m")
        << "CSI of a terminal that reads Latin-1";
    EXPECT_EQ(printable("\xC0\x8A"), "\uFFFD\uFFFD") << "a line's end in two bytes";
    EXPECT_EQ(printable("\xE0\x82\x9B"), "\uFFFD\uFFFD\uFFFD");
    EXPECT_EQ(printable("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD") << "half of a surrogate pair";
    EXPECT_EQ(printable("\xF4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD") << "beyond Unicode";
    EXPECT_EQ(printable("\xF0\x9F\x94\xA5 \xED\x9F\xBF \xF4\x8F\xBF\xBF"), "\U0001F525 \uD7FF \U0010FFFF");
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
