// CLI11's side of the command line.
#include "harness/cli/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <sstream>
#include <utility>

#include "harness/cli/nearest_names.h"

namespace tare::cli {

using core::Error;

namespace {

constexpr int kQuickRounds = 1;
constexpr int kPreciseRounds = 15;  // t interval 2.1 standard errors wide, against 2.8 with 5
constexpr int kMaxRounds = 1000;
constexpr int kMaxCpu = 1 << 20;  // beyond any Linux; which CPUs there are is asked later
constexpr int kMaxThreads = 4096;
constexpr std::size_t kTypingErrors = 3;  // an option further from what was typed was not meant

template <class T>
using Choices = std::vector<std::pair<std::string, T>>;

const Choices<Format> kFormats = {
    {"table", Format::kTable}, {"json", Format::kJson}, {"csv", Format::kCsv}, {"markdown", Format::kMarkdown}};
const Choices<measure::Host> kHosts = {{"embedded", measure::Host::kEmbedded},
                                       {"executable", measure::Host::kExecutable}};

/// An option that takes one of a few words. CLI11's own transformers list the enumeration's numbers to the user.
template <class T, class Target>
void add_choice(CLI::App& command, const std::string& name, const Choices<T>& choices, Target& target,
                const std::string& help) {
    command
        .add_option_function<std::string>(
            name,
            [&choices, &target, name](const std::string& text) {
                std::string words;
                for (const auto& [word, value] : choices) {
                    if (word == text) {
                        target = value;
                        return;
                    }
                    words += (words.empty() ? "" : ", ") + word;
                }
                throw CLI::ValidationError(name, fmt::format("'{}' is none of {}", text, words));
            },
            help)
        ->type_name("WORD");
}

/// A number within bounds, whole ones if T is: CLI11's own check prints six decimals, and 300 digits for "no limit".
template <class T>
CLI::Validator between(T low, T high) {
    const auto check = [low, high](const std::string& text) {
        T value{};
        const char* end = text.data() + text.size();
        const auto [parsed_to, failure] = std::from_chars(text.data(), end, value);
        if (failure == std::errc() && parsed_to == end && value >= low && value <= high) return std::string();
        return fmt::format("'{}' is no {}number from {} to {}", text, std::is_integral_v<T> ? "whole " : "", low, high);
    };
    return {check, fmt::format("{}-{}", low, high)};
}

CLI::Validator not_blank(const char* what) {
    return {[what](const std::string& text) {
                const bool blank = text.find_first_not_of(" \t\n") == std::string::npos;
                return blank ? fmt::format("'{}' is no {}", text, what) : std::string();
            },
            ""};
}

void add_subject_options(CLI::App& command, Options& options) {
    command.add_option("--python", options.python,
                       "interpreter or virtual environment to measure (default: $TARE_PYTHON, else python3 of PATH)");
    command.add_option("--suite", options.suites,
                       "folder of operations; may be given again (default: the shipped NumPy suite)");
    command.add_option("--filter", options.filter,
                       "regular expression searched in the names of cases, as in '^add\\['");
    add_choice(command, "--host", kHosts, options.host,
               "embedded or executable: how the worker holds CPython (default: as the subject itself does)");
    command.add_option("--store", options.store,
                       "where records go (default: $TARE_STORE, else the user's data folder)");
    add_choice(command, "--format", kFormats, options.format, "what stdout carries: table, json, csv or markdown");
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
        run->add_option("-e,--expression", options.expression, "measure this one statement instead of a suite")
            ->check(not_blank("statement"))
            ->excludes(run->get_option("--suite"));
    run->add_option("--setup", options.setup, "code whose variables the statement of -e uses")->needs(expression);
    run->add_option("--cpu", options.cpu, "CPU to pin workers to (default: the last one allowed)")
        ->check(between(0, kMaxCpu));
    run->add_option("--threads", options.threads, "threads of BLAS and OpenMP (default: 1)")
        ->check(between(1, kMaxThreads));
    CLI::Option* rounds =
        run->add_option("--rounds", options.rounds, "fresh workers, each visiting every case once (default: 5)")
            ->check(between(1, kMaxRounds));
    CLI::Option* quick = run->add_flag_callback(
        "--quick", [&options] { options.rounds = kQuickRounds; },
        "one worker: the interval then says nothing of other processes");
    CLI::Option* precise = run->add_flag_callback(
        "--precise", [&options] { options.rounds = kPreciseRounds; }, "15 workers");
    quick->excludes(precise)->excludes(rounds);
    precise->excludes(rounds);
    run->add_option("--seed", options.seed, "seed of order, layouts and hash seeds (default: random, recorded)");
    run->add_option("--time-limit", time_limit_s, "seconds after which a silent case is given up (default: 10)")
        ->check(between(0.1, 86400.0));
    run->add_option("--visit-budget", options.visit_budget_s, "seconds for one case in one worker (default: 0.2)")
        ->check(between(0.01, 60.0));
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

/// The first argument that nothing takes, with what may have been meant.
Error unexpected_argument(const CLI::App& command, const std::string& argument, const std::string& help) {
    if (!argument.starts_with('-'))
        return {core::ErrorCode::kUsage, fmt::format("unexpected argument '{}'", argument),
                fmt::format("to select cases: --filter '{}'; {}", argument, help)};
    std::string nearest;
    std::size_t smallest = kTypingErrors;
    for (const CLI::Option* option : command.get_options())
        for (const std::string& name : option->get_lnames())
            if (const std::size_t distance = edit_distance(argument, "--" + name); distance < smallest) {
                smallest = distance;
                nearest = "--" + name;
            }
    return {core::ErrorCode::kUsage, fmt::format("unknown option '{}'", argument),
            (nearest.empty() ? "" : fmt::format("did you mean {}? ", nearest)) + help};
}

Error described(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& arguments) {
    const std::string commands = "commands: run, list; `bench --help` explains them";
    const auto failed = [](std::string what, std::string hint) {
        return Error{core::ErrorCode::kUsage, std::move(what), std::move(hint)};
    };
    if (arguments.empty()) return failed("no command was given", commands);
    if (arguments.front().starts_with('-'))
        return failed(fmt::format("'{}' stands before the command", arguments.front()), commands);
    const std::vector<CLI::App*> chosen = app.get_subcommands();
    if (chosen.empty()) return failed(fmt::format("'{}' is no command", arguments.front()), commands);
    const std::string help = fmt::format("`bench {} --help` explains every option", chosen.front()->get_name());
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError))
        if (const std::vector<std::string> extras = app.remaining(true); !extras.empty())
            return unexpected_argument(*chosen.front(), extras.front(), help);
    return failed(error.what(), help);
}

}  // namespace

Parsed parse_options(const std::vector<std::string>& arguments) {
    Options options;
    double time_limit_s = 10;
    CLI::App app("Weighs the packaging that numerical Python puts around arithmetic.", "bench");
    app.set_version_flag("--version", TARE_VERSION);
    app.require_subcommand(1);
    add_run(app, options, time_limit_s);
    add_list(app, options);
    try {
        std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());  // as CLI11 wants them
        app.parse(reversed);
    } catch (const CLI::ParseError& e) {
        if (e.get_exit_code() != 0) return {.options = {}, .error = described(app, e, arguments), .text = {}};
        std::ostringstream out, err;
        app.exit(e, out, err);  // help or version
        return {.options = {}, .error = {}, .text = out.str()};
    }
    options.time_limit = std::chrono::milliseconds(static_cast<std::int64_t>(time_limit_s * 1000));
    return {.options = options, .error = {}, .text = {}};
}

}  // namespace tare::cli
