// At stake: in a terminal of 40 columns the middle of a change point's line was cut out, and "confirmed" with it.
#include "harness/record/wrapped_text.h"

#include <gmock/gmock.h>

namespace tare::record {
namespace {

TEST(Wrapped, BreaksAtBlanks) {
    EXPECT_EQ(wrapped("one two three", 8), "one two\nthree");
    EXPECT_EQ(wrapped("one two three", 7), "one two\nthree");
    EXPECT_EQ(wrapped("one two", 6), "one\ntwo");
    EXPECT_EQ(wrapped("", 6), "");
}

TEST(Wrapped, CountsColumnsNotBytes) {
    EXPECT_EQ(wrapped("\u00b5s \u2581\u2583 x", 7), "\u00b5s \u2581\u2583 x");
    EXPECT_EQ(wrapped("\u00b5s \u2581\u2583 x", 6), "\u00b5s \u2581\u2583\nx");
    EXPECT_EQ(wrapped("as it is, whatever its length", 0), "as it is, whatever its length");
}

TEST(Wrapped, LeavesLongWordsAndLinesEndsAsTheyAre) {
    EXPECT_EQ(wrapped("a --very-long-option b", 4), "a\n--very-long-option\nb");
    EXPECT_EQ(wrapped("one\ntwo three", 9), "one\ntwo three");
    EXPECT_EQ(wrapped("one  two", 20), "one  two");
}

}  // namespace
}  // namespace tare::record
