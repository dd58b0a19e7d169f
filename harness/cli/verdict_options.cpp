// The options of `bench duet` and `bench compare`: two sides, and what makes a verdict of what they show.
#include <memory>

#include "harness/cli/option_kit.h"

namespace tare::cli {

namespace {

constexpr int kFewestPairs = 10;  // the smallest look that may claim a change
constexpr int kMostQuads = 1000;  // 0.2 s a visit of four batches of 0.2 ms and as long again to set them up
constexpr double kMostSeconds = 1e6;
constexpr double kMostInjectedPercent = 100;

constexpr const char* kExitCodes =
    "Exit codes: 0 done, 1 a case is slower (only with --gate), 2 usage or environment, 3 inconclusive (only with\n"
    "--fail-on-inconclusive), 4 some cases failed, 130 interrupted.";

/// A change of instruction counts is a regression of its own.
constexpr const char* kCompareExitCodes =
    "Exit codes: 0 done, 1 a case is slower or executes more instructions (only with --gate), 2 usage or environment,\n"
    "3 inconclusive (only with --fail-on-inconclusive), 4 some cases failed, 130 interrupted.";

const Choices<GateOn> kGateWords{
    {"time", GateOn::kTime}, {"instructions", GateOn::kInstructions}, {"both", GateOn::kBoth}};

/// Percentages as typed; what is absent comes from the named ones.
struct MarginOptions {
    std::string name = "default";
    std::optional<double> tolerance_percent;
    std::optional<double> bound_percent;
};

stats::Margins margins_of(const MarginOptions& given) {
    const core::Expected<stats::Margins> named = stats::named_margins(given.name);
    if (!named) throw CLI::ValidationError("--margins", named.error().what + "; " + named.error().hint);
    const double tolerance = given.tolerance_percent ? *given.tolerance_percent / 100 : named->tolerance_relative;
    const double bound = given.bound_percent ? *given.bound_percent / 100 : named->bound_relative;
    const core::Expected<stats::Margins> margins = stats::make_margins(tolerance, bound);
    if (!margins)
        throw CLI::ValidationError("--tolerance, --bound", margins.error().what + "; " + margins.error().hint);
    return *margins;
}

std::shared_ptr<MarginOptions> add_verdict_options(CLI::App& command, VerdictOptions& options, const char* gate_help) {
    auto margins = std::make_shared<MarginOptions>();
    command
        .add_option("--margins", margins->name,
                    "default (tolerance 0.5 %, bound 2 %), noisy (1 %, 3 %) or coarse (2 %, 5 %)")
        ->type_name("WORD");
    command.add_option("--tolerance", margins->tolerance_percent, "percent: a smaller change is nobody's concern")
        ->check(between(0.0, 100.0));
    command.add_option("--bound", margins->bound_percent, "percent: a change of this size must not be missed")
        ->check(between(0.0, 100.0));
    command.add_option(
        "--tolerances", options.tolerances,
        "file of margins of single cases: lines of a regular expression, tolerance and bound in percent");
    command.add_flag("--gate", options.gate, gate_help);
    CLI::Option* inconclusive =
        command.add_flag("--fail-on-inconclusive", options.fail_on_inconclusive,
                         "with --gate: exit status 3 where none is slower, but not all is known");
    inconclusive->needs("--gate");
    command.add_option("--summary", options.summary, "write a summary in Markdown, for a pull request, to this file");
    command.add_option("--junit", options.junit,
                       "write a report in JUnit's XML, for GitLab, Jenkins and others, to this file");
    command.add_flag("--any-dependence", options.any_dependence,
                     "Benjamini-Yekutieli instead of Benjamini-Hochberg among cases: holds whatever they share");
    return margins;
}

void add_environment(CLI::App& command, const std::string& name, SubjectOptions& side) {
    command
        .add_option_function<std::vector<std::string>>(
            name,
            [&side, name](const std::vector<std::string>& texts) {
                for (const std::string& text : texts) {
                    const std::size_t equals = text.find('=');
                    if (equals == 0 || equals == std::string::npos)
                        throw CLI::ValidationError(name, fmt::format("'{}' is not NAME=VALUE", text));
                    side.environment.emplace_back(text.substr(0, equals), text.substr(equals + 1));
                }
            },
            fmt::format("environment variable of side {} only; may be given again", name.back()))
        ->type_name("NAME=VALUE")
        ->take_all();
}

/// What holds for both sides unless one has its own.
struct SharedSubject {
    std::vector<std::string> suites;
    std::string expression;
    std::string setup;
    std::string setup_each;
    std::string package;
    std::optional<measure::Host> host;
    int threads = 1;
};

void share(const SharedSubject& shared, SubjectOptions& side) {
    if (side.suites.empty()) side.suites = shared.suites;
    side.expression = shared.expression;
    side.setup = shared.setup;
    side.setup_each = shared.setup_each;
    side.package = shared.package;
    side.host = shared.host;
    side.threads = shared.threads;
}

void add_duet_sides(CLI::App& command, DuetOptions& duet) {
    command.add_option("--a", duet.a.python,
                       "side a, the old one: interpreter or virtual environment (default: $TARE_PYTHON, else python3)");
    command.add_option("--b", duet.b.python, "side b, the new one (default: that of side a)");
    command.add_option("--a-suite", duet.a.suites, "folder of operations of side a only; may be given again");
    command.add_option("--b-suite", duet.b.suites, "folder of operations of side b only; may be given again");
    add_environment(command, "--env-a", duet.a);
    add_environment(command, "--env-b", duet.b);
}

}  // namespace

void add_duet(CLI::App& app, Options& options, double& time_limit_s) {
    CLI::App* command = app.add_subcommand("duet", "two subjects side by side, with a verdict for each case");
    command->footer(std::string("Examples:\n"
                                "  bench duet --a venvs/numpy-2.0 --b venvs/numpy-2.1 --filter '^add\\['\n"
                                "  bench duet --a base --b head --gate --summary comment.md\n"
                                "  bench duet --a venv --env-b OPENBLAS_CORETYPE=Haswell --filter matmul\n"
                                "  bench duet --a venv --a-suite old/benchmarks --b-suite new/benchmarks\n"
                                "  bench duet --continue duet.json --budget 600\n") +
                    kExitCodes);
    DuetOptions& duet = options.duet;
    auto shared = std::make_shared<SharedSubject>();
    add_duet_sides(*command, duet);
    command->add_option("--suite", shared->suites,
                        "folder of operations of both sides; may be given again (default: the shipped NumPy suite)");
    add_filter(*command, options);
    add_expression(*command, shared->expression, shared->setup, shared->setup_each);
    add_package(*command, shared->package);
    add_host(*command, shared->host);
    add_threads(*command, shared->threads);
    add_measuring_options(*command, options, time_limit_s);
    const auto margins = add_verdict_options(*command, options.verdict, "exit status 1 where a case is slower");
    command->add_option("--budget", duet.budget_s, "seconds of measuring (default: until every case is decided)")
        ->check(between(0.1, kMostSeconds));
    CLI::Option* pairs =
        command->add_option("--pairs", duet.pairs, "pairs of processes that no case exceeds (default: 36)");
    pairs->check(between(kFewestPairs, kMostPairs));
    command
        ->add_option("--quads", duet.quads,
                     "a b b a in one visit to a case (default: 24); fewer make smaller records and wider intervals")
        ->check(between(measure::PairSettings{}.min_quads, kMostQuads));
    command->add_flag("--open-ended", duet.open_ended,
                      "look after every round, with intervals that allow it (wider): for long runs that are watched");
    command
        ->add_option_function<double>(
            "--inject", [&duet](double percent) { duet.injected_ratio = percent / 100; },
            "percent more work that side b really executes: validates the harness, compares nothing")
        ->check(between(-kMostInjectedPercent / 2, kMostInjectedPercent));
    command->add_option("--inject-case", duet.injected_filter, "only in cases that this regular expression selects")
        ->needs("--inject");
    CLI::Option* continued =
        command->add_option("--continue", duet.continued, "go on with the duet of this record, as it was asked for");
    for (const char* fixed :
         {"--a",          "--b",       "--a-suite",    "--b-suite", "--env-a",      "--env-b",
          "--suite",      "--filter",  "--expression", "--host",    "--threads",    "--seed",
          "--time-limit", "--margins", "--tolerance",  "--bound",   "--tolerances", "--any-dependence",
          "--pairs",      "--quads",   "--open-ended", "--inject",  "--package"})
        continued->excludes(command->get_option(fixed));
    add_output_options(*command, options);
    command->add_option("--out", options.out, "write the record to this file too");
    command->callback([&options, &duet, shared, margins, pairs] {
        options.command = Command::kDuet;
        if (duet.open_ended && pairs->count() == 0) duet.pairs = kMostPairs;
        if (duet.b.python.empty()) duet.b.python = duet.a.python;
        share(*shared, duet.a);
        share(*shared, duet.b);
        options.verdict.margins = margins_of(*margins);
    });
}

void add_compare(CLI::App& app, Options& options) {
    CLI::App* command = app.add_subcommand("compare", "two records, or the verdicts of a duet computed anew");
    command->footer(
        std::string(
            "Examples:\n"
            "  bench compare old.json new.json\n"
            "  bench compare --anchor old_against_reference.json new_against_reference.json --gate\n"
            "  bench compare --replay duet.json\n"
            "  bench compare old.json new.json --gate --gate-on instructions\n"
            "Two runs of one machine at two times differ by more than their own spread shows: without --anchor\n"
            "verdicts on time are indicative and never gate. A duet knows. Instruction counts, of runs with --ledger,\n"
            "are exact: more of them, beyond the spread over memory layouts and the tolerance, do gate.\n") +
        kCompareExitCodes);
    CompareOptions& compare = options.compare;
    command->add_option("old", compare.old_record, "record of a run (with --anchor or --replay: of a duet)")
        ->required();
    CLI::Option* other = command->add_option("new", compare.new_record, "the same of what is compared with it");
    CLI::Option* anchored = command->add_flag("--anchor", compare.anchored,
                                              "both are duets whose side a is one pinned reference: verdicts gate");
    CLI::Option* replayed =
        command->add_flag("--replay", compare.replay, "compute the verdicts of a duet anew from its samples")
            ->excludes(other)
            ->excludes(anchored);
    CLI::Option* history = command->add_option(
        "--history", compare.history,
        "at least 8 records of successive sessions of unchanged code (with --anchor: duets), oldest "
        "first: what sessions differ by. With them verdicts gate");
    history->excludes(replayed);
    command->add_flag("--across", compare.across_setups, "compare in spite of different machines or hosts");
    add_filter(*command, options);
    const auto margins = add_verdict_options(*command, options.verdict,
                                             "exit status 1 where a case is slower, or executes more instructions");
    add_choice(*command, "--gate-on", kGateWords, options.verdict.gate_on,
               "with --gate: fail on time, instructions or both (default: both)");
    CLI::Option* gate_on = command->get_option("--gate-on");
    gate_on->needs("--gate");
    gate_on->excludes(anchored);  // duets hold no ledgers
    gate_on->excludes(replayed);
    add_output_options(*command, options);
    for (const char* unused : {"--filter", "--margins", "--tolerance", "--bound", "--tolerances", "--any-dependence"})
        replayed->excludes(command->get_option(unused));  // a duet is judged as it was asked for
    command->callback([&options, &compare, margins] {
        options.command = Command::kCompare;
        if (!compare.replay && compare.new_record.empty())
            throw CLI::ValidationError("new", "a second record is missing (or --replay for the record of a duet)");
        options.verdict.margins = margins_of(*margins);
    });
}

}  // namespace tare::cli
