// At stake: the line of each of 8 entries of tables made by hand after CPython's Objects/locations.md, and no line at
// all from a damaged one; likewise of the tables before 3.11. Tables of real functions are compared with Python's own
// answers in python/tests/frames/check_lines.py.
#include <gmock/gmock.h>

#include <random>

#include "harness/core/code_area.h"

namespace tare::core {
namespace {

using testing::Optional;

/// The first byte of an entry.
std::string head(unsigned form, unsigned units) {
    return {static_cast<char>(0x80 | form << 3 | (units - 1))};
}

PythonCode with_table(std::string table) {
    return {.file = "f.py", .name = "f", .first_line = 10, .line_table = std::move(table)};
}

TEST(LineAt, FollowsEveryFormOfEntry) {
    const std::string table = head(0, 1) + '\x00' +               // unit 0: short, the first line
                              head(9, 2) + '\x7f' +               // 1, 2: short, the same line
                              head(11, 1) + "\x04\x05" +          // 3: one line on
                              head(12, 8) + "\x04\x05" +          // 4 to 11: two lines on
                              head(13, 1) + '\x05' +              // 12: two lines back, without columns
                              head(14, 1) + "\x08\x01\x05\x09" +  // 13: four lines on, with all positions
                              head(15, 3) +                       // 14 to 16: none
                              head(13, 1) + "\x50\x03";           // 17: 104 lines on, in two bytes
    const PythonCode code = with_table(table);
    const auto line_of_unit = [&](int unit) { return code.line_at(2 * unit); };
    EXPECT_THAT(line_of_unit(0), Optional(10));
    EXPECT_THAT(code.line_at(1), Optional(10)) << "the second byte of the unit";
    EXPECT_THAT(line_of_unit(1), Optional(10));
    EXPECT_THAT(line_of_unit(2), Optional(10));
    EXPECT_THAT(line_of_unit(3), Optional(11));
    EXPECT_THAT(line_of_unit(4), Optional(13));
    EXPECT_THAT(line_of_unit(11), Optional(13));
    EXPECT_THAT(line_of_unit(12), Optional(11));
    EXPECT_THAT(line_of_unit(13), Optional(15));
    for (const int unit : {14, 15, 16}) EXPECT_EQ(line_of_unit(unit), std::nullopt);
    EXPECT_THAT(line_of_unit(17), Optional(119));
    EXPECT_EQ(line_of_unit(18), std::nullopt) << "behind the table";
}

/// PEP 626's table of CPython 3.10: each range of bytes has its line, or none.
TEST(LineAt, FollowsRanges) {
    using namespace std::string_literals;
    const PythonCode code{.file = "f.py",
                          .name = "f",
                          .first_line = 10,
                          .line_table = "\x04\x01\x02\x80\x06\xff\x02\x14"s,
                          .line_format = LineFormat::kRanges};
    for (const int offset : {0, 2, 3}) EXPECT_THAT(code.line_at(offset), Optional(11));
    EXPECT_EQ(code.line_at(4), std::nullopt);
    for (const int offset : {6, 11}) EXPECT_THAT(code.line_at(offset), Optional(10));
    EXPECT_THAT(code.line_at(12), Optional(30));
    EXPECT_EQ(code.line_at(14), std::nullopt) << "behind the table";
    EXPECT_THAT(code.line_at(-1), Optional(10));
}

/// And 3.9's: so many bytes on a line begins that is so many lines on; none in the table is a function of one line.
TEST(LineAt, FollowsSteps) {
    using namespace std::string_literals;
    const auto with_steps = [](std::string table) {
        return PythonCode{.file = "f.py",
                          .name = "f",
                          .first_line = 10,
                          .line_table = std::move(table),
                          .line_format = LineFormat::kSteps};
    };
    const PythonCode code = with_steps("\x06\x01\x08\xfe\x00\x7f\x00\x7f\x02\x01"s);
    for (const int offset : {0, 4}) EXPECT_THAT(code.line_at(offset), Optional(10));
    for (const int offset : {6, 12}) EXPECT_THAT(code.line_at(offset), Optional(11));
    EXPECT_THAT(code.line_at(14), Optional(263));
    EXPECT_THAT(code.line_at(100), Optional(264));
    EXPECT_THAT(with_steps("").line_at(20), Optional(10));
    std::string cut;
    while (cut.size() < kMostLineTableBytes) cut += "\x02\x01";
    EXPECT_THAT(with_steps(cut).line_at(4), Optional(12));
    EXPECT_EQ(with_steps(cut).line_at(70'000), std::nullopt) << "the rest was not kept";
    EXPECT_EQ(with_steps("\x00\x80"s).line_at(0), std::nullopt) << "118 lines before the file's first";
}

TEST(LineAt, OfNoInstructionYetIsWhereTheDefinitionBegins) {
    EXPECT_THAT(with_table("").line_at(-1), Optional(10));
}

TEST(LineAt, OfADamagedTableIsNone) {
    EXPECT_EQ(with_table("").line_at(0), std::nullopt);
    EXPECT_EQ(with_table("\x05").line_at(0), std::nullopt) << "no entry begins like this";
    EXPECT_EQ(with_table(head(11, 1) + "\x01").line_at(0), std::nullopt) << "cut";
    EXPECT_EQ(with_table(head(14, 1) + "\x01\x01").line_at(0), std::nullopt) << "cut";
    EXPECT_EQ(with_table(head(13, 1) + std::string(9, '\x7f')).line_at(0), std::nullopt) << "a number without end";
    EXPECT_EQ(with_table(head(13, 1) + "\x17").line_at(0), std::nullopt) << "11 lines before the file's first";
    EXPECT_EQ(with_table(head(13, 1) + "\x7e\x7f\x7f\x7f\x7f\x03").line_at(0), std::nullopt) << "2^31 lines on";
}

TEST(LineAt, EndsWithWhateverBytes) {
    std::mt19937 random(7);
    std::size_t answered = 0;
    for (int round = 0; round < 20'000; ++round) {
        std::string table(random() % 40, '\0');
        for (char& byte : table) byte = static_cast<char>(random() | (random() % 3 == 0 ? 0x80 : 0));
        answered += with_table(table).line_at(static_cast<std::int32_t>(random() % 100)).has_value();
    }
    EXPECT_GT(answered, 100U) << "the bytes never got past the first check";
}

}  // namespace
}  // namespace tare::core
