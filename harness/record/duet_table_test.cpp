// At stake: what a person reads after a duet, in a terminal and in a pull request, character by character.
#include "harness/record/duet_table.h"

#include <gmock/gmock.h>

#include <sstream>

#include "harness/core/drift_warning.h"
#include "harness/record/duet_exports.h"
#include "harness/record/golden.h"
#include "harness/record/sample_duet.h"

namespace tare::record {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string table_of(const Duet& duet, const TableOptions& options = {}) {
    return print_duet_table(duet, decide(duet), options);
}

Duet injected_duet() {
    Duet duet = sample_duet();
    duet.settings = core::Map{{"injected_ratio", 0.05}};
    duet.page_cache.refused = "/env/b/_multiarray_umath.so: Operation not permitted";
    duet.page_cache.rounds_redrawn = 3;
    duet.interrupted = true;
    return duet;
}

TEST(DuetTable, OfEveryOutcome) {
    expect_golden("duet.txt", table_of(sample_duet()));
}
TEST(DuetTable, OfInjectedWorkAndARefusedRedrawInAscii) {
    TableOptions options;
    options.style.unicode = false;
    expect_golden("duet_injected.txt", table_of(injected_duet(), options));
}
TEST(DuetTable, InColor) {
    TableOptions options;
    options.style.color = true;
    expect_golden("duet_color.txt", table_of(injected_duet(), options));
}
TEST(DuetTable, OfANarrowTerminal) {
    TableOptions options;
    options.width = 60;
    expect_golden("duet_60.txt", table_of(sample_duet(), options));
}
TEST(DuetExports, Csv) {
    const Duet duet = sample_duet();
    expect_golden("duet.csv", print_duet_csv(duet, decide(duet)));
}
TEST(DuetExports, Json) {
    const Duet duet = injected_duet();
    expect_golden("duet.json", print_duet_json(duet, decide(duet)));
}
TEST(DuetExports, SummaryForAPullRequest) {
    const Duet duet = sample_duet();
    expect_golden("duet_summary.md",
                  duet_summary_markdown(duet, decide(duet), "bench duet --a /env/a/bin/python --b /env/b/bin/python",
                                        {false, true}));
}
TEST(DuetExports, SummaryOfInjectedWork) {
    const Duet duet = injected_duet();
    expect_golden("duet_summary_injected.md", duet_summary_markdown(duet, decide(duet), "", {false, true}));
}

TEST(DuetTable, FitsEveryWidthFromFortyUp) {
    const Duet duet = sample_duet();
    for (std::size_t width = 40; width <= 140; ++width) {
        TableOptions options;
        options.width = width;
        const std::string text = table_of(duet, options);
        std::istringstream lines(text.substr(0, text.find("\n\n")));
        for (std::string line; std::getline(lines, line);) EXPECT_LE(text_columns(line), width) << line;
        EXPECT_THAT(text, AllOf(HasSubstr("change"), HasSubstr("verdict")));
    }
}

TEST(DuetTable, OfOneCaseAndOfNone) {
    EXPECT_THAT(table_of(sample_duet(1, {{"x"}}, 2)),
                AllOf(HasSubstr("0 same, 1 inconclusive of 1 case\n"), HasSubstr("too few pairs")));
    EXPECT_EQ(table_of(Duet{}), "No case was compared.\n");
}

TEST(DuetTable, NamesMarginsThatDiffer) {
    Duet duet = sample_duet();
    duet.cases[0].margins = {0.02, 0.05};
    EXPECT_THAT(table_of(duet),
                HasSubstr("margins: tolerance 0.5 %, bound 2 % (8 cases); tolerance 2 %, bound 5 % (1 case)"));
}

TEST(DuetTable, SaysThatTheMachineChangedAndThatTheDuetWasRecovered) {
    Duet duet = sample_duet();
    duet.visits[3].fingerprint_changed = true;
    duet.recovered = duet.interrupted = true;
    EXPECT_THAT(table_of(duet), AllOf(HasSubstr("the machine changed during the duet: 1 of "),
                                      HasSubstr("recovered: the duet was killed"), Not(HasSubstr("interrupted:"))));
}

TEST(DuetTable, WarnsOfADriftThatHalfOfTheVisitsShow) {
    Duet duet = sample_duet(1, {{"x"}}, 4);
    ASSERT_EQ(duet.visits.size(), 4u);
    const std::string falls = "side b: " + std::string(core::kCostFalls);
    duet.visits[1].warnings = {falls};
    EXPECT_THAT(table_of(duet), Not(HasSubstr(falls)));
    duet.visits[3].warnings = {falls, "side a: wrote to stderr"};
    EXPECT_THAT(table_of(duet), AllOf(HasSubstr("x: " + falls), HasSubstr("x: side a: wrote to stderr")));
}

TEST(DuetTable, SaysThatTheSidesDoNotDoTheSameAndWhatCouldNotBeRead) {
    Duet duet = sample_duet();
    duet.cases[0].statement_b = duet.cases[0].statement_a + " + x";
    duet.problems = {{"journal", "line 7 is damaged"}};
    EXPECT_THAT(table_of(duet),
                AllOf(HasSubstr("not the same work: the sides have different statements: " + duet.cases[0].name + "\n"),
                      HasSubstr("not loaded: journal: line 7 is damaged")));
}

TEST(ChangeText, HasASignUnlessItRoundsToNothing) {
    EXPECT_EQ(change_text(1.051), "+5.1 %");
    EXPECT_EQ(change_text(0.9), "-10.0 %");
    EXPECT_EQ(change_text(0.9997), "0.0 %");
    EXPECT_EQ(change_text(3.5), "+250 %");
    EXPECT_EQ(change_interval_text({0.998, 1.0051}), "[-0.2, +0.5]");
}

TEST(DuetExports, KeepMarkdownWholeWhateverNamesAndCommandsHold) {
    Duet duet = sample_duet(1, {{"a|`b`", 0.3}}, 12);
    const std::string text = duet_summary_markdown(duet, decide(duet), "bench duet --filter '```'", {});
    EXPECT_THAT(text, HasSubstr("| `` a\\|`b` `` |"));
    EXPECT_THAT(text, HasSubstr("\n````sh\nbench duet --filter '```'\n````\n"));
}

TEST(DuetExports, SummaryListsNoMoreThanTwentyChanges) {
    std::vector<SampleCase> truths;
    for (int i = 0; i < 25; ++i) truths.push_back({fmt::format("x[n={}]", i), 0.1, 0.004});
    const Duet duet = sample_duet(1, truths, 12);
    const std::string text = duet_summary_markdown(duet, decide(duet), "", {});
    EXPECT_THAT(text, AllOf(HasSubstr("**25 cases are slower: 25 slower,"), HasSubstr("- and 5 more: see the table")));
}

}  // namespace
}  // namespace tare::record
