// At stake: what a person reads after a run, character by character, at every width, with and without Unicode.
#include "harness/record/text_table.h"

#include <gmock/gmock.h>

#include <sstream>

#include "harness/record/exports.h"
#include "harness/record/golden.h"
#include "harness/record/sample_run.h"
#include "harness/record/table_notes.h"

namespace tare::record {
namespace {

using testing::ContainsRegex;
using testing::Each;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

Summary sample(int rounds) {
    return summarize(sample_run(rounds).visits);
}

TEST(TextTable, OfSeveralProcesses) {
    expect_golden("table.txt", print_table(sample(5), {}));
}

TEST(TextTable, SaysOfBusyRowsThatTheyAreNotOfQuietBatches) {
    Summary summary = sample(5);
    const auto say = [&](std::size_t busy) {
        for (std::size_t i = 0; i < summary.cases.size(); ++i)
            summary.cases[i].quiet = stats::Quietness{.kept_ratio = 0.5, .busy = i < busy};
        return print_table(summary, {});
    };
    EXPECT_THAT(say(0), HasSubstr("\n50 % of the batches were quiet, and only they are shown: what"));
    EXPECT_THAT(say(1),
                HasSubstr("\n50 % of the batches were quiet, and only they are shown, but for busy rows: what"));
    EXPECT_THAT(say(summary.cases.size()), HasSubstr("\n50 % of the batches were quiet, too few to say what a case"));
}

TEST(TextTable, SaysWhyAGrossHasNoInterval) {
    Summary summary = sample(5);
    EXPECT_THAT(print_table(summary, {}), Not(HasSubstr("a single value has none")));
    summary.cases.front().rungs.front().time_ns.interval.reset();
    EXPECT_THAT(print_table(summary, {}), HasSubstr("over up to 5 processes; a single value has none"));
}

TEST(TextTable, OfOneProcessInAscii) {
    TableOptions options;
    options.style.unicode = false;
    options.cpp = true;
    expect_golden("table_ascii_1p.txt", print_table(sample(1), options));
}

TEST(TextTable, OfANarrowTerminal) {
    TableOptions options;
    options.width = 60;
    expect_golden("table_60.txt", print_table(sample(5), options));
}

TEST(TextTable, InColor) {
    TableOptions options;
    options.style.color = true;
    expect_golden("table_color.txt", print_table(sample(5), options));
}

TEST(Exports, Markdown) {
    expect_golden("table.md", print_markdown(sample(5), {}));
}
TEST(Exports, Csv) {
    expect_golden("table.csv", print_csv(sample(5)));
}
TEST(Exports, Json) {
    const Record record = sample_run(2);
    expect_golden("summary.json", print_json(record, summarize(record.visits)));
}

TEST(TextTable, FitsEveryWidthFromFortyUp) {
    const Summary summary = sample(5);
    for (std::size_t width = 40; width <= 140; ++width) {
        TableOptions options;
        options.width = width;
        const std::string text = print_table(summary, options);
        for (const std::string& line : lines_of(text.substr(0, text.find("\nKernels"))))
            EXPECT_LE(text_columns(line), width) << line;
        EXPECT_THAT(text, HasSubstr("tare")) << "the one column that the tool is for";
    }
}

TEST(TextTable, KeepsADistinguishingEndOfShortenedNames) {
    const TextStyle style;
    EXPECT_EQ(shortened("add[kind=array,dtype=f8,n=1024]", 16, style), "add[kin\u2026,n=1024]");
    EXPECT_EQ(shortened("short", 16, style), "short");
    EXPECT_EQ(shortened("\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9", 4, style), "\u00e9\u2026\u00e9\u00e9");
}

TEST(TextTable, SaysSoWhereNothingWasMeasured) {
    EXPECT_EQ(print_table({}, {}), "No case was measured.\n");
}

TEST(TextTable, HasNoColumnForWhatNoCaseHas) {
    const std::string text =
        print_table(summarize({sample_visit("own[n=1]", 0, 50), sample_visit("own[n=1]", 1, 51)}), {});
    EXPECT_THAT(lines_of(text).front(), ContainsRegex("^case +gross +\u00b1$"));
}

TEST(TextTable, MarksSingleProcessCasesAmongOthers) {
    Record record = sample_run(2);
    record.visits.push_back(sample_visit("late[n=1]", 1, 50));
    const std::string text = print_table(summarize(record.visits), {});
    EXPECT_THAT(text, HasSubstr("% 1p"));
    EXPECT_THAT(text, HasSubstr("1p  interval within one process"));
}

TEST(TextTable, MarksATimeThatIsNotToldApartFromTheLoop) {
    std::vector<core::Visit> visits;
    for (int round = 0; round < 3; ++round) {
        visits.push_back(sample_visit("nothing[n=1]", round, 0.1 * (round - 1)));
        visits.push_back(sample_visit("add[n=1]", round, 50));
    }
    const Summary summary = summarize(visits);
    const std::string text = print_table(summary, {});
    EXPECT_THAT(text, ContainsRegex("nothing\\[n=1\\] +[-0-9.]+ ns~"));
    EXPECT_THAT(text, HasSubstr("~   the interval of the gross reaches 0"));
    EXPECT_THAT(text, Not(HasSubstr("50.0 ns~")));
    EXPECT_THAT(print_markdown(summary, {}), HasSubstr(" ns~ |"));
}

TEST(Exports, MarkdownOfNotesListsWhatStandsBeneathTheTable) {
    Record record = sample_run(2);
    record.visits.push_back(sample_visit("late[n=1]", 1, 50));
    record.visits.back().warnings = {"wrote to stderr: a | b"};
    const std::string text = notes_markdown(summarize(record.visits), {});
    EXPECT_THAT(text, StartsWith("\n- "));
    EXPECT_THAT(text, HasSubstr("\n- `1p`: interval within one process"));
    EXPECT_THAT(text, HasSubstr("\n- `!`: the case failed in another round"));
    EXPECT_THAT(text, HasSubstr("\n- 1 of "));
    EXPECT_THAT(text, HasSubstr("\n- `*`: net exceeds gross"));
    EXPECT_THAT(text, EndsWith("\n  - late[n=1]: wrote to stderr: a \\| b\n"));
    EXPECT_EQ(notes_markdown({}, {}), "");
}

TEST(NumberText, HasThreeDigitsAndRollsOverToTheNextUnit) {
    const TextStyle ascii{false, false};
    EXPECT_EQ(duration_text(0.5124, ascii), "0.512 ns");
    EXPECT_EQ(duration_text(0.9996, ascii), "1.00 ns");
    EXPECT_EQ(duration_text(9.996, ascii), "10.0 ns");
    EXPECT_EQ(duration_text(99.96, ascii), "100 ns");
    EXPECT_EQ(duration_text(999.4, ascii), "999 ns");
    EXPECT_EQ(duration_text(999.6, ascii), "1.00 us");
    EXPECT_EQ(duration_text(1'660, ascii), "1.66 us");
    EXPECT_EQ(duration_text(12'345'678, ascii), "12.3 ms");
    EXPECT_EQ(duration_text(5e12, ascii), "5000  s");
    EXPECT_EQ(duration_text(-31.24, ascii), "-31.2 ns");
}

TEST(Exports, CsvQuotesWhatWouldBreakALine) {
    core::Visit visit = sample_visit("f[x=(1,2)]", 0, 10);
    visit.error = core::Error{core::ErrorCode::kCaseFailed, "said \"no\",\ntwice", ""};
    const std::string text = print_csv(summarize({visit}));
    EXPECT_THAT(text, HasSubstr("\"f[x=(1,2)]\",f,"));
    EXPECT_THAT(text, HasSubstr("\"said \"\"no\"\",\ntwice\""));
}

TEST(Exports, MarkdownKeepsBarsInsideACell) {
    const std::string text = print_markdown(summarize({sample_visit("a | b", 0, 10)}), {});
    EXPECT_THAT(text, HasSubstr("`a \\| b`"));
}

}  // namespace
}  // namespace tare::record
