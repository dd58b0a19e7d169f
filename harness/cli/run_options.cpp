// The options of `bench run` and `bench list`.
#include <fmt/format.h>

#include "harness/cli/option_kit.h"
#include "harness/core/counter.h"

namespace tare::cli {

namespace {

constexpr int kQuickRounds = 1;
constexpr int kPreciseRounds = 40;  // intervals 1.4 times narrower than of 20
constexpr int kMaxRounds = 1000;
constexpr int kMaxUnroll = 1000;
constexpr double kWithinPercent = 2;  // 5 % are found where both runs know a case so well
constexpr double kMostWaitS = 86'400;

void add_subject_options(CLI::App& command, Options& options) {
    command.add_option("--python", options.subject.python,
                       "interpreter or virtual environment to measure (default: $TARE_PYTHON, else python3 of PATH)");
    command.add_option("--suite", options.subject.suites,
                       "folder of operations; may be given again (default: the shipped NumPy suite)");
    add_filter(command, options);
    add_host(command, options.subject.host);
    add_output_options(command, options);
}

/// To a list as --counters takes it.
void add_timed_cycles(std::string& list) {
    const std::string_view name = core::name_of(core::CounterRole::kTimedCycles);
    list = list.empty() || CLI::detail::to_lower(CLI::detail::trim_copy(list)) == "none"
               ? std::string(name)
               : fmt::format("{},{}", list, name);
}

}  // namespace

void add_run(CLI::App& app, Options& options, double& time_limit_s) {
    CLI::App* run = app.add_subcommand("run", "measure, print a table, keep a record");
    run->callback([&options, run] {
        options.command = Command::kRun;
        if (!options.ledger.layers.empty() && !options.ledger.wanted && !options.sampling.wanted)
            throw CLI::RequiresError("--layers", "--ledger or --profile");
        const bool own_rounds = run->count("--rounds") + run->count("--quick") + run->count("--precise") > 0;
        if (options.within_percent.value_or(0) > 0 && options.rounds == 1)
            throw CLI::ValidationError("--within", "one worker says nothing of others: give it two or more (--rounds)");
        if (!options.within_percent) options.within_percent = own_rounds ? 0 : kWithinPercent;
        options.spare_slow = !own_rounds && run->count("--visit-budget") == 0;
        if (options.counters.cycles) add_timed_cycles(options.counters.list);
        if (options.counters.required && options.counters.list.empty())
            throw CLI::RequiresError("--require-counters", "--counters or --cycles");
    });
    run->footer(
        "Examples:\n"
        "  bench run --filter dot\n"
        "  bench run --filter '^add\\[' --precise --out add.json\n"
        "  bench run -e 'a @ b' --setup 'a = np.ones((4, 4)); b = np.ones((4, 4))'\n"
        "  bench run --filter dot --counters default\n"
        "  bench run --filter dot --cycles\n"
        "  bench run --filter dot --profile --ledger\n"
        "  bench run --counters cycles,instructions,branch-misses --format markdown\n"
        "  bench run --python ~/venvs/numpy-2.0 --suite my_operations --format markdown\n"
        "Exit codes: 0 done, 2 usage or environment, 4 some cases failed, 130 interrupted.");
    add_subject_options(*run, options);
    add_expression(*run, options.subject.expression, options.subject.setup, options.subject.setup_each);
    add_package(*run, options.subject.package);
    add_measuring_options(*run, options, time_limit_s);
    add_threads(*run, options.subject.threads);
    CLI::Option* rounds = run->add_option("--rounds", options.rounds,
                                          "fresh workers, each visiting every case once (default: 17, and every second "
                                          "of these for a case that takes more than its budget)")
                              ->check(between(1, kMaxRounds));
    CLI::Option* quick = run->add_flag_callback(
        "--quick", [&options] { options.rounds = kQuickRounds; },
        "one worker: the interval then says nothing of other processes");
    CLI::Option* precise = run->add_flag_callback(
        "--precise", [&options] { options.rounds = kPreciseRounds; }, "40 workers");
    run->add_option(
           "--within", options.within_percent,
           "percent: cases of which half the interval is more are visited by up to 3 further workers, the "
           "widest first, for at most a tenth of the time so far, or a third of it where more than a quarter of "
           "the cases are; 0: none (default: 2; with --rounds, --quick or --precise: none)")
        ->check(between(0.0, 100.0));
    quick->excludes(precise)->excludes(rounds);
    precise->excludes(rounds);
    run->add_option("--unroll", options.unroll,
                    "copies of the statement in a pass of the loop (default: 8, or 1 beyond 20 us)")
        ->check(between(1, kMaxUnroll))
        ->excludes(run->get_option("--setup-each"));
    run->add_option("--visit-budget", options.visit_budget_s, "seconds for one case in one worker (default: 0.1)")
        ->check(between(0.01, 60.0));
    run->add_option("--wait", options.wait_s,
                    "seconds that the run may wait for moments in which nobody else uses the core; 0: none "
                    "(default: a third as long as it measures, and 0.05 s for each worker)")
        ->check(between(0.0, kMostWaitS));
    add_counter_options(*run, options.counters);
    run->add_flag("--cycles", options.counters.cycles,
                  "core cycles of an execution without a PMU: its time, by the clock rate that a chain of instructions "
                  "beside each batch tells; as --counters timed-cycles");
    run->add_flag("--require-counters", options.counters.required,
                  "end with status 2 where a counter that was asked for does not count");
    add_ledger_options_of_run(*run, options);
    CLI::Option* profile = run->add_flag("--profile", options.sampling.wanted,
                                         "sample every case too: how its time divides among the layers");
    add_sampling_rate(*run, options.sampling)->needs(profile);
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

}  // namespace tare::cli
