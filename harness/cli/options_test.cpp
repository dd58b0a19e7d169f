// At stake: every wrong command line costs one error that names the way out, under 200 bytes of what went wrong.
#include <gmock/gmock.h>

#include "harness/cli/options.h"

namespace tare::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string error_of(const std::vector<std::string>& arguments) {
    const Parsed parsed = parse_options(arguments);
    EXPECT_FALSE(parsed.options);
    if (!parsed.error) return "no error";
    EXPECT_EQ(parsed.error->code, core::ErrorCode::kUsage);
    EXPECT_LT(parsed.error->what.size(), 200u);
    return parsed.error->what + " | " + parsed.error->hint;
}

TEST(Options, OfARunHaveTheDefaultsThatTheHelpNames) {
    const Parsed parsed = parse_options({"run"});
    ASSERT_TRUE(parsed.options);
    EXPECT_EQ(parsed.options->command, Command::kRun);
    EXPECT_EQ(parsed.options->rounds, 17);
    EXPECT_EQ(parsed.options->format, Format::kTable);
    EXPECT_FALSE(parsed.options->subject.host);
    EXPECT_FALSE(parsed.options->cpu);
}

TEST(Options, AreTakenAsGiven) {
    const Parsed parsed = parse_options({"run", "--filter", "^add", "--host", "embedded", "--format=csv", "--cpu", "0",
                                         "--quick", "--time-limit", "0.5", "--suite", "a", "--suite", "b"});
    ASSERT_TRUE(parsed.options);
    EXPECT_EQ(parsed.options->filter, "^add");
    EXPECT_EQ(parsed.options->subject.host, measure::Host::kEmbedded);
    EXPECT_EQ(parsed.options->format, Format::kCsv);
    EXPECT_EQ(parsed.options->cpu, 0);
    EXPECT_EQ(parsed.options->rounds, 1);
    EXPECT_EQ(parsed.options->time_limit, std::chrono::milliseconds(500));
    EXPECT_THAT(parsed.options->subject.suites, testing::ElementsAre("a", "b"));
}

TEST(Options, HelpAndVersionAreNoErrors) {
    for (const char* asked : {"--help", "--version"}) {
        const Parsed parsed = parse_options({asked});
        EXPECT_FALSE(parsed.error) << asked;
        EXPECT_NE(parsed.text, "") << asked;
    }
    EXPECT_THAT(parse_options({"run", "--help"}).text, AllOf(HasSubstr("--filter"), HasSubstr("Exit codes")));
    EXPECT_THAT(parse_options({"--version"}).text, testing::MatchesRegex("bench [0-9.]+( \\([^ ]+\\))?\n"));
}

TEST(Options, UnknownOnesProposeTheNearest) {
    EXPECT_THAT(error_of({"run", "--fitler", "x"}),
                AllOf(HasSubstr("unknown option '--fitler'"), HasSubstr("did you mean --filter?")));
    EXPECT_THAT(error_of({"list", "--frobnicate"}), AllOf(HasSubstr("unknown option '--frobnicate'"),
                                                          HasSubstr("bench list --help"), Not(HasSubstr("did you"))));
}

TEST(Options, AWordWithoutAnOptionIsTakenForAFilter) {
    EXPECT_THAT(error_of({"run", "dot"}), AllOf(HasSubstr("unexpected argument 'dot'"), HasSubstr("--filter 'dot'")));
}

TEST(Options, AnUnknownCommandIsNamedWithThoseThereAre) {
    EXPECT_THAT(error_of({"frobnicate"}), AllOf(HasSubstr("'frobnicate' is no command"),
                                                HasSubstr("run, list, duet, compare"), HasSubstr(", export")));
    EXPECT_THAT(error_of({"--quick", "run"}), HasSubstr("'--quick' stands before the command"));
    EXPECT_THAT(error_of({}), AllOf(HasSubstr("no command was given"), HasSubstr("run, list, duet, compare")));
}

TEST(Options, AWordOutsideItsChoicesIsAnsweredWithThem) {
    EXPECT_THAT(error_of({"run", "--format", "xml"}),
                HasSubstr("--format: 'xml' is none of table, json, csv, markdown"));
    EXPECT_THAT(error_of({"run", "--host", "x"}), HasSubstr("--host: 'x' is none of embedded, executable"));
}

TEST(Options, ANumberOutsideItsBoundsIsAnsweredWithThem) {
    EXPECT_THAT(error_of({"run", "--cpu", "x"}), HasSubstr("--cpu: 'x' is no whole number from 0 to 1048576"));
    EXPECT_THAT(error_of({"run", "--rounds", "0"}), HasSubstr("--rounds: '0' is no whole number from 1 to 1000"));
    EXPECT_THAT(error_of({"run", "--rounds", "1.5"}), HasSubstr("'1.5' is no whole number"));
    EXPECT_THAT(error_of({"run", "--time-limit", "0"}), HasSubstr("'0' is no number from 0.1 to 86400"));
    EXPECT_THAT(error_of({"run", "--visit-budget", "nan"}), HasSubstr("'nan' is no number from 0.01 to 60"));
}

TEST(Options, ABlankExpressionDoesNotMeasureTheWholeSuite) {
    EXPECT_THAT(error_of({"run", "-e", ""}), HasSubstr("'' is no statement"));
    EXPECT_THAT(error_of({"run", "-e", " \n"}), HasSubstr("is no statement"));
}

TEST(Options, OfAGateOnInstructionsNeedAGateAndRuns) {
    const Parsed parsed = parse_options({"compare", "a.json", "b.json", "--gate", "--gate-on", "instructions"});
    ASSERT_TRUE(parsed.options);
    EXPECT_EQ(parsed.options->verdict.gate_on, GateOn::kInstructions);
    EXPECT_EQ(parse_options({"compare", "a", "b", "--gate"}).options->verdict.gate_on, GateOn::kBoth);
    EXPECT_THAT(error_of({"compare", "a", "b", "--gate-on", "time"}), HasSubstr("--gate-on requires --gate"));
    EXPECT_THAT(error_of({"compare", "a", "b", "--gate", "--gate-on", "x"}),
                HasSubstr("'x' is none of time, instructions, both"));
    EXPECT_THAT(error_of({"compare", "a", "b", "--gate", "--anchor", "--gate-on", "time"}), HasSubstr("excludes"));
    EXPECT_THAT(parse_options({"compare", "--help"}).text,
                AllOf(HasSubstr("verdicts on time are indicative and never gate"), HasSubstr("do gate")));
}

TEST(Options, OfExplainHaveTheDefaultsThatTheHelpNames) {
    const Parsed parsed = parse_options({"explain", "add[kind=0d]", "add[kind=float]", "--diff"});
    ASSERT_TRUE(parsed.options);
    EXPECT_EQ(parsed.options->command, Command::kExplain);
    EXPECT_THAT(parsed.options->explain.cases, testing::ElementsAre("add[kind=0d]", "add[kind=float]"));
    EXPECT_TRUE(parsed.options->explain.diff);
    EXPECT_EQ(parsed.options->ledger.layouts, 10);
    EXPECT_EQ(parsed.options->ledger.step_limit, 100'000U);
    EXPECT_EQ(parsed.options->explain.top, 15);
    const std::string help = parse_options({"explain", "--help"}).text;
    EXPECT_THAT(help, AllOf(HasSubstr("(default: 10)"), HasSubstr("(default: 100000"), HasSubstr("(default: 15)")));
}

TEST(Options, OfExplainThatContradictEachOtherAreRefused) {
    EXPECT_THAT(error_of({"explain", "add", "--diff", "--against", "x"}), HasSubstr("excludes"));
    EXPECT_THAT(error_of({"explain", "add", "-e", "x + x"}), HasSubstr("excludes"));
    EXPECT_THAT(error_of({"explain", "add", "--no-timing", "--rounds", "3"}), HasSubstr("excludes"));
    EXPECT_THAT(error_of({"explain", "add", "--layouts", "0"}), HasSubstr("'0' is no whole number from 1 to 1000"));
    EXPECT_THAT(error_of({"run", "--layouts", "4"}), HasSubstr("--layouts requires --ledger"));
}

TEST(Options, OfPmuAreThoseOfItsOwnCommands) {
    const Parsed list = parse_options({"pmu", "list", "l1|dtlb", "--format", "json"});
    ASSERT_TRUE(list.options);
    EXPECT_EQ(list.options->command, Command::kPmu);
    EXPECT_FALSE(list.options->pmu.check);
    EXPECT_EQ(list.options->pmu.pattern, "l1|dtlb");
    EXPECT_EQ(list.options->format, Format::kJson);
    const Parsed check = parse_options({"pmu", "check", "--counters", "cycles,r412e", "--cpu", "1", "--count-kernel"});
    ASSERT_TRUE(check.options);
    EXPECT_EQ(check.options->command, Command::kPmu);
    EXPECT_TRUE(check.options->pmu.check);
    EXPECT_EQ(check.options->counters.list, "cycles,r412e");
    EXPECT_EQ(check.options->cpu, 1);
    EXPECT_TRUE(check.options->counters.kernel);
    EXPECT_EQ(parse_options({"pmu", "check"}).options->counters.list, "default");
}

TEST(Options, GivenAgainTakeOneValueEach) {
    const Parsed explained = parse_options({"explain", "--suite", "mine", "--suite=yours", "norm[n=8]"});
    ASSERT_TRUE(explained.options) << explained.error->what;
    EXPECT_THAT(explained.options->subject.suites, testing::ElementsAre("mine", "yours"));
    EXPECT_THAT(explained.options->explain.cases, testing::ElementsAre("norm[n=8]"));
    EXPECT_THAT(parse_options({"explain", "--layers", "l.txt", "add"}).options->explain.cases,
                testing::ElementsAre("add"));
    EXPECT_EQ(parse_options({"trend", "--suite", "mine", "norm"}).options->trend.pattern, "norm");
    EXPECT_THAT(parse_options({"compare", "a", "b", "--history", "c", "d"}).options->compare.history,
                testing::ElementsAre("c", "d"));
}

TEST(Options, OfTimedCyclesJoinTheOtherCounters) {
    const auto list_of = [](const std::vector<std::string>& words) {
        return parse_options(words).options->counters.list;
    };
    EXPECT_EQ(list_of({"run"}), "");
    EXPECT_EQ(list_of({"run", "--cycles"}), "timed_cycles");
    EXPECT_EQ(list_of({"run", "--counters", " None ", "--cycles"}), "timed_cycles");
    EXPECT_EQ(list_of({"run", "--cycles", "--require-counters"}), "timed_cycles");
    EXPECT_THAT(error_of({"run", "--require-counters"}),
                HasSubstr("--require-counters requires --counters or --cycles"));
    EXPECT_EQ(list_of({"run", "--cycles", "--counters", "cycles,r412e"}), "cycles,r412e,timed_cycles");
}

TEST(Options, OfPmuAloneAreAnsweredWithItsHelp) {
    EXPECT_THAT(error_of({"pmu"}), AllOf(HasSubstr("bench pmu takes one of its own commands"),
                                         HasSubstr("which counters work here"), HasSubstr("bench pmu list 'l1|dtlb'")));
    EXPECT_THAT(error_of({"pmu", "frobnicate"}), AllOf(HasSubstr("not 'frobnicate'"), HasSubstr("list, check")));
    EXPECT_THAT(error_of({"pmu", "check", "cycles"}),
                AllOf(HasSubstr("unexpected argument 'cycles'"), Not(HasSubstr("--filter")),
                      HasSubstr("`bench pmu check --help`")));
    EXPECT_THAT(error_of({"pmu", "check", "--countres", "x"}),
                AllOf(HasSubstr("unknown option '--countres'"), HasSubstr("did you mean --counters?")));
    EXPECT_THAT(parse_options({"pmu", "--help"}).text, AllOf(HasSubstr("list"), HasSubstr("check")));
    EXPECT_THAT(parse_options({"pmu", "check", "--help"}).text, HasSubstr("--count-kernel"));
}

TEST(Options, OfStoreImportNamePathsAndWhatTheFilesDoNotSay) {
    const Parsed parsed = parse_options({"store", "import", "a", "b.json", "--format-of", "gbench", "--machine", "lab",
                                         "--project", "numpy", "--store", "s", "--filter", "x"});
    ASSERT_TRUE(parsed.options);
    EXPECT_EQ(parsed.options->command, Command::kStore);
    EXPECT_THAT(parsed.options->store_command.imported, testing::ElementsAre("a", "b.json"));
    EXPECT_EQ(parsed.options->store_command.format, history::ForeignFormat::kGbench);
    EXPECT_EQ(parsed.options->store_command.machine, "lab");
    EXPECT_EQ(parsed.options->store_command.project, "numpy");
    EXPECT_THAT(error_of({"store"}), HasSubstr("bench store takes one of its own commands"));
    EXPECT_THAT(error_of({"store", "import"}), HasSubstr("PATH is required"));
    EXPECT_THAT(error_of({"store", "import", "a", "--format-of", "csv"}),
                HasSubstr("'csv' is none of asv, pyperf, gbench, pytest-benchmark"));
}

TEST(Options, OfProfileEndWhereTheProgramBegins) {
    using Words = std::vector<std::string>;
    const auto program = [](const Words& words) {
        Words arguments{"profile", "--rate", "500", "--threads"};
        arguments.insert(arguments.end(), words.begin(), words.end());
        const Parsed parsed = parse_options(arguments);
        EXPECT_TRUE(parsed.options) << (parsed.error ? parsed.error->what : "");
        if (!parsed.options) return Words{};
        EXPECT_EQ(parsed.options->profile.rate_hz, 500);
        return parsed.options->profile.program;
    };
    for (const Words& words : {Words{"x.py", "--top", "3"}, Words{"-m", "a", "-x"}, Words{"-c", "1", "--", "-x"},
                               Words{"-", "1"}, Words{"-u", "x.py"}, Words{"-X", "dev", "-Werror", "-OO", "x.py"},
                               Words{"-um", "a"}, Words{"-uXdev", "--", "x.py"}, Words{"-cprint(1)", "--rate"}}) {
        EXPECT_EQ(program(words), words);
        Words marked{"--"};
        marked.insert(marked.end(), words.begin(), words.end());
        EXPECT_EQ(program(marked), words);
    }
}

TEST(Options, OfProfileSayWhatIsMissingOrNobodys) {
    for (const char* words : {"", "--", "-u"})
        EXPECT_THAT(
            error_of(*words == '\0' ? std::vector<std::string>{"profile"} : std::vector<std::string>{"profile", words}),
            HasSubstr("no program was given"));
    EXPECT_THAT(error_of({"profile", "-c"}), HasSubstr("nothing follows -c"));
    EXPECT_THAT(error_of({"profile", "-X"}), HasSubstr("nothing follows -X"));
    EXPECT_THAT(error_of({"profile", "-z", "x.py"}), HasSubstr("'-z' is no option of bench profile, nor of python"));
    EXPECT_THAT(error_of({"profile", "-u", "--top", "3", "x.py"}), HasSubstr("its own stand before those of python"));
    EXPECT_THAT(error_of({"profile", "--ratte", "x.py"}), HasSubstr("did you mean --rate?"));
}

TEST(Options, OfLayersServeTheLedgerAndTheProfile) {
    EXPECT_TRUE(parse_options({"run", "--profile", "--layers", "mine.txt"}).options);
    EXPECT_TRUE(parse_options({"run", "--ledger", "--layers", "mine.txt"}).options);
    EXPECT_THAT(error_of({"run", "--layers", "mine.txt"}), HasSubstr("--layers requires --ledger or --profile"));
}

TEST(Options, ThatContradictEachOtherAreRefused) {
    EXPECT_THAT(error_of({"run", "--quick", "--precise"}), HasSubstr("excludes"));
    EXPECT_THAT(error_of({"run", "--quick", "--within", "1"}), HasSubstr("two or more (--rounds)"));
    EXPECT_THAT(error_of({"run", "--quick", "--rounds", "3"}), HasSubstr("excludes"));
    EXPECT_THAT(error_of({"run", "-e", "1", "--suite", "s"}), HasSubstr("excludes"));
    EXPECT_THAT(error_of({"run", "--setup", "a = 1"}), HasSubstr("--setup requires --expression"));
}

}  // namespace
}  // namespace tare::cli
