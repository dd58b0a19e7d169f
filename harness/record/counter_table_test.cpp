// At stake: 0.00, the lie that a counter tells where there is no PMU. What a person reads of counters, character by
// character, at every width: each value with its state, each missing column with its reason, once.
#include "harness/record/counter_table.h"

#include <gmock/gmock.h>

#include <sstream>

#include "harness/record/counter_cells.h"
#include "harness/record/exports.h"
#include "harness/record/golden.h"
#include "harness/record/sample_counters.h"

namespace tare::record {
namespace {

using core::CounterState;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::size_t occurrences(const std::string& text, const std::string& piece) {
    std::size_t count = 0;
    for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) ++count;
    return count;
}

TableOptions of_width(std::size_t width) {
    TableOptions options;
    options.width = width;
    return options;
}

TEST(CounterTable, WithAPmu) {
    expect_golden("counters.txt", print_table(summarize(run_with_pmu(5)), {}));
}

TEST(CounterTable, WithoutAPmu) {
    expect_golden("counters_no_pmu.txt", print_table(summarize(run_without_pmu(5)), of_width(100)));
}

TEST(CounterTable, OfDoubtfulCounters) {
    expect_golden("counters_doubtful.txt", print_table(summarize(run_with_doubtful_counters(3)), of_width(100)));
}

TEST(CounterTable, OfDoubtfulCountersInAscii) {
    TableOptions options;
    options.style.unicode = false;
    expect_golden("counters_doubtful_ascii.txt", counters_text(summarize(run_with_doubtful_counters(1)), options));
}

TEST(CounterExports, Markdown) {
    expect_golden("counters.md", print_markdown(summarize(run_with_doubtful_counters(3)), {}));
    expect_golden("counters_no_pmu.md", print_markdown(summarize(run_without_pmu(3)), {}));
}

TEST(CounterExports, Csv) {
    expect_golden("counters.csv", print_csv(summarize(run_with_doubtful_counters(3))));
}

TEST(CounterExports, Json) {
    Record record = run_with_doubtful_counters(2);
    std::erase_if(record.visits, [](const core::Visit& visit) { return !visit.case_name.starts_with("matmul"); });
    expect_golden("counters.json", print_json(record, summarize(record)));
}

TEST(CounterTable, FitsEveryWidthFromFortyUpAndNamesWhatDoesNot) {
    const Summary summary = summarize(run_with_doubtful_counters(3));
    for (std::size_t width = 40; width <= 200; ++width) {
        const std::string text = counters_text(summary, of_width(width));
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) {
            const bool one_word = line.find_first_of(' ', line.find_first_not_of(' ')) == std::string::npos;
            EXPECT_TRUE(one_word || text_columns(line) <= width) << line;
        }
        std::string above_events;  // on one line
        std::istringstream words(text);
        for (std::string word; words >> word && word != "of";) above_events += word + ' ';
        for (const char* title : {"cycles", "L1D misses", "task clock", "ctx switches"})
            EXPECT_THAT(above_events, HasSubstr(title)) << "shown, or said to be left out; at " << width;
    }
}

TEST(CounterTable, NamesAReasonOnceHoweverManyCountersAndCasesShareIt) {
    const std::string text = counters_text(summarize(run_without_pmu(5)), {});
    EXPECT_EQ(occurrences(text, "exposes no PMU"), 1U) << text;
    EXPECT_THAT(text, HasSubstr("not counted: cycles, instructions, branches, branch_misses, l1d_misses, l2_misses, "
                                "llc_misses, dtlb_walks: ENOENT: this machine exposes no PMU; on bare metal, or in a "
                                "guest with a virtual PMU, they count\n"));
    EXPECT_THAT(text, AllOf(Not(HasSubstr("IPC")), Not(HasSubstr("counted  ")), Not(HasSubstr(" 0 "))));
}

TEST(CounterTable, SaysWhyWhereNothingAtAllCounts) {
    Record record = run_without_pmu(2);
    for (core::CountingProcess& process : record.counting.processes)
        for (core::CounterOutcome& outcome : process.counters.outcomes)
            outcome = {CounterState::kUnavailable, kNoPmu, 0};
    const std::string text = counters_text(summarize(record), {});
    EXPECT_THAT(text, AllOf(testing::StartsWith("\nnot counted: cycles,"), HasSubstr("context_switches: ENOENT")));
    EXPECT_EQ(occurrences(text, "\n"), 2U) << text;
}

TEST(CounterTable, TellsThatOneProcessLackedACounter) {
    Record record = run_with_pmu(5);
    record.counting.processes[3].counters.outcomes[0] = {CounterState::kUnavailable,
                                                         core::CounterProblem{"", "another profiler has it", ""}, 0};
    const std::string text = counters_text(summarize(record), {});
    EXPECT_THAT(text, HasSubstr("not counted: cycles: in 1 of 5 processes: another profiler has it\n"));
    EXPECT_THAT(text, Not(HasSubstr("IPC"))) << "of what other processes counted no ratio is made";
}

TEST(CounterTable, IsNotThereWhereNoCounterWasAskedFor) {
    EXPECT_EQ(counters_text(summarize(sample_run(2)), {}), "");
    EXPECT_EQ(counters_markdown(summarize(sample_run(2)), {}), "");
    EXPECT_THAT(print_csv(summarize(sample_run(2))), Not(HasSubstr("_state")));
    const Record record = sample_run(2);
    EXPECT_THAT(print_json(record, summarize(record)), Not(HasSubstr("\"counters\"")));
}

TEST(CounterTable, TellsScopesApart) {
    Record record = run_with_pmu(2);
    record.counting.requests[0].kernel = true;
    record.counting.requests[10].kernel = false;  // of getrusage, which knows no scope
    const std::string text = counters_text(summarize(record), {});
    EXPECT_THAT(text,
                HasSubstr("\nof one execution, net of the loop; user space only: instr = skx::INSTRUCTION_RETIRED, "));
    EXPECT_THAT(text, HasSubstr("\nwith the kernel: cycles = skx::UNHALTED_CORE_CYCLES, ctx switches = ru_nvcsw"));
    EXPECT_THAT(text, Not(HasSubstr("IPC"))) << "cycles of the kernel are no denominator of instructions without it";
}

TEST(CounterTable, NamesAUsersOwnEventAsHeWroteIt) {
    Record record = run_with_pmu(2);
    record.counting.requests[4].role = core::CounterRole::kOther;
    record.counting.requests[4].name = "skx::L1D:REPLACEMENT";
    const std::string text = counters_text(summarize(record), {});
    EXPECT_THAT(text, HasSubstr("branch misses  skx::L1D:REPLACEMENT"));
    EXPECT_THAT(text, Not(HasSubstr("skx::L1D:REPLACEMENT = "))) << "its name says it all";
}

TEST(CounterTable, TellsTwoCountersOfOneRoleApart) {
    Record record = run_with_pmu(2);
    record.counting.requests[4] = record.counting.requests[0];
    record.counting.requests[4].name = "cpu_atom::cycles";
    record.counting.requests[4].pmu = "cpu_atom";
    EXPECT_THAT(counters_text(summarize(record), {}), AllOf(HasSubstr("  cycles"), HasSubstr("cpu_atom::cycles")));
}

TEST(EventsText, NeverShowsABareZero) {
    for (const bool rare : {false, true}) {
        for (const double value : {0.0, 1e-9, 0.0099, -1e-9, -0.0099})
            EXPECT_EQ(events_text(value, rare), "<0.01") << value;
        for (double value = 0.01; value < 2000; value *= 1.01)
            for (const double sign : {1.0, -1.0}) {
                const std::string text = events_text(sign * value, rare);
                EXPECT_THAT(text, testing::ContainsRegex("[1-9]")) << value;
            }
    }
}

TEST(EventsText, HasThousandsSeparatorsAndFewDecimals) {
    EXPECT_EQ(events_text(0.014, true), "0.01");
    EXPECT_EQ(events_text(3.456, true), "3.46");
    EXPECT_EQ(events_text(999.994, true), "999.99");
    EXPECT_EQ(events_text(999.996, true), "1,000");
    EXPECT_EQ(events_text(-0.41, true), "-0.41");
    EXPECT_EQ(events_text(0.25, false), "0.25");
    EXPECT_EQ(events_text(0.96, false), "1.0");
    EXPECT_EQ(events_text(312.46, false), "312.5");
    EXPECT_EQ(events_text(999.96, false), "1,000");
    EXPECT_EQ(events_text(3939.999, false), "3,940");
    EXPECT_EQ(events_text(-1'234'567.2, false), "-1,234,567");
    EXPECT_EQ(events_text(1e300, false), "1e+300");
    EXPECT_EQ(events_text(std::numeric_limits<double>::quiet_NaN(), false), "?");
}

}  // namespace
}  // namespace tare::record
