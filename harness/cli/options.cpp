// CLI11's side of the command line.
#include "harness/cli/options.h"

#include <CLI/CLI.hpp>
#include <map>
#include <sstream>

namespace tare::cli {

namespace {

constexpr int kQuickRounds = 1;
constexpr int kPreciseRounds = 15;  // t interval 2.1 standard errors wide, against 2.8 with 5
constexpr int kMaxRounds = 1000;

const std::map<std::string, Format> kFormats = {
    {"table", Format::kTable}, {"json", Format::kJson}, {"csv", Format::kCsv}, {"markdown", Format::kMarkdown}};
const std::map<std::string, measure::Host> kHosts = {{"embedded", measure::Host::kEmbedded},
                                                     {"executable", measure::Host::kExecutable}};

void add_subject_options(CLI::App& command, Options& options) {
    command.add_option("--python", options.python,
                       "interpreter or virtual environment to measure (default: $TARE_PYTHON, else python3 of PATH)");
    command.add_option("--suite", options.suites,
                       "folder of operations; may be given again (default: the shipped NumPy suite)");
    command.add_option("--filter", options.filter,
                       "regular expression searched in the names of cases, as in '^add\\['");
    command.add_option("--host", options.host, "how the worker holds CPython (default: as the subject itself does)")
        ->transform(CLI::CheckedTransformer(kHosts));
    command.add_option("--store", options.store,
                       "where records go (default: $TARE_STORE, else the user's data folder)");
    command.add_option("--format", options.format, "what stdout carries: table, json, csv or markdown")
        ->transform(CLI::CheckedTransformer(kFormats));
}

void add_run(CLI::App& app, Options& options, double& time_limit_s) {
    CLI::App* run = app.add_subcommand("run", "measure, print a table, keep a record");
    run->callback([&options] { options.command = Command::kRun; });
    run->footer(
        "Examples:\n"
        "  bench run --filter dot\n"
        "  bench run --filter '^add\\[' --precise --out add.json\n"
        "  bench run -e 'a @ b' --setup 'a = np.ones((4, 4)); b = np.ones((4, 4))'\n"
        "  bench run --python ~/venvs/numpy-2.0 --suite my_operations --format markdown\n"
        "Exit codes: 0 done, 2 usage or environment, 4 some cases failed, 130 interrupted.");
    add_subject_options(*run, options);
    CLI::Option* expression =
        run->add_option("-e,--expression", options.expression, "measure this one statement instead of a suite");
    run->add_option("--setup", options.setup, "code whose variables the statement of -e uses")->needs(expression);
    run->add_option("--cpu", options.cpu, "CPU to pin workers to (default: the last one allowed)")
        ->check(CLI::NonNegativeNumber);
    run->add_option("--threads", options.threads, "threads of BLAS and OpenMP (default: 1)")
        ->check(CLI::Range(1, 4096));
    CLI::Option* rounds =
        run->add_option("--rounds", options.rounds, "fresh workers, each visiting every case once (default: 5)")
            ->check(CLI::Range(1, kMaxRounds));
    CLI::Option* quick = run->add_flag_callback(
        "--quick", [&options] { options.rounds = kQuickRounds; },
        "one worker: the interval then says nothing of other processes");
    CLI::Option* precise = run->add_flag_callback(
        "--precise", [&options] { options.rounds = kPreciseRounds; }, "15 workers");
    quick->excludes(precise)->excludes(rounds);
    precise->excludes(rounds);
    run->add_option("--seed", options.seed, "seed of order, layouts and hash seeds (default: random, recorded)");
    run->add_option("--time-limit", time_limit_s, "seconds after which a silent case is given up (default: 10)")
        ->check(CLI::Range(0.1, 86400.0));
    run->add_option("--visit-budget", options.visit_budget_s, "seconds for one case in one worker (default: 0.2)")
        ->check(CLI::Range(0.01, 60.0));
    run->add_option("--out", options.out, "write the record to this file too");
    run->add_flag("--cpp", options.show_cpp, "show the plain C++ loop too");
}

void add_list(CLI::App& app, Options& options) {
    CLI::App* list = app.add_subcommand("list", "what can be measured");
    list->callback([&options] { options.command = Command::kList; });
    list->footer("Example:\n  bench list --filter 'dtype=f4.*n=8' --all");
    add_subject_options(*list, options);
    list->add_flag("--all", options.show_all, "every case, not one line an operation");
}

}  // namespace

Parsed parse_options(const std::vector<std::string>& arguments) {
    Options options;
    double time_limit_s = 10;
    CLI::App app("Weighs the packaging that numerical Python puts around arithmetic.", "bench");
    app.set_version_flag("--version", TARE_VERSION);
    app.require_subcommand(1);
    app.failure_message(CLI::FailureMessage::simple);
    add_run(app, options, time_limit_s);
    add_list(app, options);
    try {
        std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());  // as CLI11 wants them
        app.parse(reversed);
    } catch (const CLI::ParseError& e) {
        std::ostringstream out, err;
        const bool failed = app.exit(e, out, err) != 0;
        return {.options = std::nullopt, .text = failed ? err.str() : out.str(), .exit_code = failed ? 2 : 0};
    }
    options.time_limit = std::chrono::milliseconds(static_cast<std::int64_t>(time_limit_s * 1000));
    return {.options = options, .text = {}, .exit_code = 0};
}

}  // namespace tare::cli
