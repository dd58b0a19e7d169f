// The options of `bench explain`.
#include "harness/cli/option_kit.h"

namespace tare::cli {

namespace {

constexpr int kMostLayouts = 1000;
constexpr int kMostRounds = 1000;

void add_ledger_options(CLI::App& command, LedgerOptions& options) {
    command
        .add_option(
            "--layouts", options.layouts,
            "memory layouts to count in, two in each fresh worker (default: 10; what differs is told of 4 or more)")
        ->check(between(1, kMostLayouts));
    command
        .add_option("--limit", options.step_limit,
                    "instructions after which a case is too long to step (default: 100000, 0.4 to 1.5 s a layout)")
        ->check(between(std::size_t{1}, measure::kMostSteps));
    command.add_option("--layers", options.layers,
                       "file of rules from functions to layers, before the shipped ones; may be given again");
}

constexpr int kRounds = 10;  // of one case, or two

}  // namespace

void add_ledger_options_of_run(CLI::App& run, Options& options) {
    CLI::Option* ledger = run.add_flag("--ledger", options.ledger.wanted,
                                       "count the instructions of every case too, exactly, by layer and module");
    add_ledger_options(run, options.ledger);
    for (const char* name : {"--layouts", "--limit"}) run.get_option(name)->needs(ledger);
}

void add_explain(CLI::App& app, Options& options, double& time_limit_s) {
    CLI::App* explain = app.add_subcommand("explain", "where the instructions of one call go, exactly");
    explain->callback([&options, explain] {
        options.command = Command::kExplain;
        if (explain->count("--rounds") == 0) options.rounds = kRounds;
    });
    explain->footer(
        "Examples:\n"
        "  bench explain 'add[kind=0d]'\n"
        "  bench explain 'add[kind=float]' 'add[kind=0d]' --no-timing\n"
        "  bench explain 'dot_aat[dtype=f4,n=64]' --tree --flamegraph aat.svg\n"
        "  bench explain 'add_at[dtype=f8,n=8]' --python venv-1.24 --against venv-1.25\n"
        "  bench explain 'add[kind=0d]' 'add[kind=array,dtype=f8,n=8]' --diff\n"
        "  bench explain -e 'np.dot(C, C.T)' --setup 'C = np.ones((4, 4), np.float32)'\n"
        "Exit codes: 0 done, 2 usage or environment, 4 some cases cannot be stepped, 130 interrupted.");
    ExplainOptions& own = options.explain;
    CLI::Option* cases =
        explain->add_option("CASE", own.cases, "a case, or an operation with as many parameters as pick one");
    explain->add_option("--python", options.subject.python,
                        "interpreter or virtual environment (default: $TARE_PYTHON, else python3 of PATH)");
    explain->add_option("--suite", options.subject.suites,
                        "folder of operations; may be given again (default: the shipped NumPy suite)");
    add_host(*explain, options.subject.host);
    add_threads(*explain, options.subject.threads);
    add_expression(*explain, options.subject.expression, options.subject.setup, options.subject.setup_each);
    explain->get_option("--expression")->excludes(cases);
    CLI::Option* against =
        explain->add_option("--against", own.against, "explain by what this other interpreter or environment differs");
    explain->add_flag("--diff", own.diff, "explain by what the second of two cases differs")->excludes(against);
    add_ledger_options(*explain, options.ledger);
    CLI::Option* no_timing =
        explain->add_flag("--no-timing", own.no_timing, "count only; neither measure the rungs nor sample");
    explain->add_option("--rounds", options.rounds, "fresh workers that measure the rungs (default: 10)")
        ->check(between(1, kMostRounds))
        ->excludes(no_timing)
        ->excludes(against);
    add_sampling_rate(*explain, options.sampling)->excludes(no_timing)->excludes(against);
    add_measuring_options(*explain, options, time_limit_s);
    explain->add_flag("--tree", own.tree, "print the call tree");
    explain->add_option("--top", own.top, "how many functions to list (default: 15)")
        ->check(between(1, kMostFunctions));
    explain->add_option("--flamegraph", own.flame_graph, "write an SVG flame graph of the instructions");
    explain->add_option("--speedscope", own.speedscope, "write a profile for speedscope.app");
    explain->add_option("--folded", own.folded, "write folded stacks for flamegraph.pl");
    explain->add_option("--callgrind", own.callgrind, "write a profile for KCachegrind and callgrind_annotate");
    add_output_options(*explain, options);
}

}  // namespace tare::cli
