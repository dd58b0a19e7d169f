// At stake: one name out of 400 that is no UTF-8, or holds a `<`, makes a flame graph that no browser opens.
#include "harness/attribution/escaped_text.h"

#include <gmock/gmock.h>

namespace tare::attribution {
namespace {

TEST(JsonText, QuotesBackslashesAndControlCharactersAreEscaped) {
    EXPECT_EQ(json_text("a\"b\\c\n\x01\x7f"), "\"a\\\"b\\\\c\\u000a\\u0001\\u007f\"");
    EXPECT_EQ(json_text(std::string("\0", 1)), "\"\\u0000\"");
    EXPECT_EQ(json_text("é🐍"), "\"é🐍\"");
    EXPECT_EQ(json_text(""), "\"\"");
}

TEST(XmlText, MarkupIsEscapedAndWhatXmlCannotHoldIsReplaced) {
    EXPECT_EQ(xml_text("<a href=\"x\">&'</a>"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39;&lt;/a&gt;");
    EXPECT_EQ(xml_text("]]>"), "]]&gt;");
    EXPECT_EQ(xml_text("a\tb\nc"), "a\tb\nc");
    EXPECT_EQ(xml_text("\x01|\x1b|\x7f|\xc2\x85"), "\uFFFD|\uFFFD|\uFFFD|\uFFFD");
    EXPECT_EQ(xml_text("\xef\xbf\xbe\xef\xbf\xbf"), "\uFFFD\uFFFD");
    EXPECT_EQ(xml_text("é🐍"), "é🐍");
}

TEST(EscapedText, BytesThatAreNoUtf8AreReplacedOneByOneAndTheirNeighboursStay) {
    EXPECT_EQ(xml_text("a\xff"
                       "b"),
              "a\uFFFDb");
    EXPECT_EQ(xml_text("\xc0\xaf"), "\uFFFD\uFFFD");                       // overlong slash
    EXPECT_EQ(xml_text("\xe0\x80\xaf"), "\uFFFD\uFFFD\uFFFD");             // overlong in three
    EXPECT_EQ(xml_text("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");             // a surrogate
    EXPECT_EQ(xml_text("\xf4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");   // beyond U+10FFFF
    EXPECT_EQ(xml_text("\xe2\x82"), "\uFFFD\uFFFD");                       // cut off at the end
    EXPECT_EQ(xml_text("\xe2<"), "\uFFFD&lt;");                            // cut off by markup
    EXPECT_EQ(json_text("\xf0\x9f\x90\""), "\"\uFFFD\uFFFD\uFFFD\\\"\"");  // cut off by a quote
}

TEST(Shortened, CharactersAreCountedNotBytes) {
    EXPECT_EQ(shortened("abc", 3), "abc");
    EXPECT_EQ(shortened("abcd", 3), "ab…");
    EXPECT_EQ(shortened("éé🐍", 3), "éé🐍");
    EXPECT_EQ(shortened("éé🐍é", 3), "éé…");
    EXPECT_EQ(shortened("abc", 1), "…");
    EXPECT_EQ(shortened("abc", 0), "");
    EXPECT_EQ(shortened("", 0), "");
}

}  // namespace
}  // namespace tare::attribution
