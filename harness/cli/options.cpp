// CLI11's side of the command line.
#include "harness/cli/options.h"

#include <fmt/format.h>

#include <memory>
#include <sstream>

#include "harness/cli/build_info.h"
#include "harness/cli/help_format.h"
#include "harness/cli/nearest_names.h"
#include "harness/cli/option_kit.h"

namespace tare::cli {

using core::Error;

namespace {

constexpr std::size_t kTypingErrors = 3;  // an option further from what was typed was not meant

/// The first argument that nothing takes, with what may have been meant.
Error unexpected_argument(const CLI::App& command, const std::string& argument, const std::string& help) {
    if (!argument.starts_with('-'))
        return {core::ErrorCode::kUsage, fmt::format("unexpected argument '{}'", argument),
                (command.get_option_no_throw("--filter") != nullptr
                     ? fmt::format("to select cases: --filter '{}'; ", argument)
                     : "") +
                    help};
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

/// "commands: check, import; `bench store --help` explains them"
std::string commands_text(const CLI::App& app, const std::string& words) {
    std::string names;
    for (const CLI::App* each : app.get_subcommands([](const CLI::App*) { return true; }))
        names += (names.empty() ? "" : ", ") + each->get_name();
    return fmt::format("commands: {}; `{} --help` explains them", names, words);
}

Error described(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& arguments) {
    const std::string commands = commands_text(app, "bench");
    const auto failed = [](std::string what, std::string hint) {
        return Error{core::ErrorCode::kUsage, std::move(what), std::move(hint)};
    };
    if (arguments.empty()) return failed("no command was given", commands);
    if (arguments.front().starts_with('-'))
        return failed(fmt::format("'{}' stands before the command", arguments.front()), commands);
    const std::vector<CLI::App*> chosen = app.get_subcommands();
    if (chosen.empty()) return failed(fmt::format("'{}' is no command", arguments.front()), commands);
    const CLI::App* command = chosen.front();
    std::string words = command->get_name();
    if (const std::vector<CLI::App*> inner = command->get_subcommands(); !inner.empty()) {
        command = inner.front();
        words += ' ' + command->get_name();
    } else if (command->get_require_subcommand_min() > 0) {
        const std::string what = fmt::format("bench {} takes one of its own commands", words);
        if (arguments.size() < 2) return failed(what, command->help("bench"));
        return failed(fmt::format("{}, not '{}'", what, arguments[1]), commands_text(*command, "bench " + words));
    }
    const std::string help = fmt::format("`bench {} --help` explains every option", words);
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError))
        if (const std::vector<std::string> extras = app.remaining(true); !extras.empty())
            return unexpected_argument(*command, extras.front(), help);
    return failed(error.what(), help);
}

/// For a POSIX shell: bare where that is safe, else between single quotes.
std::string shell_word(const std::string& argument) {
    constexpr std::string_view kSafe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
    if (!argument.empty() && argument.find_first_not_of(kSafe) == std::string::npos) return argument;
    std::string word = "'";
    for (const char c : argument) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

/// "bench 0.1.0 (a4b0cb6e2e1c)"; without the revision where it is not known.
std::string version_text() {
    const std::string_view commit = kCommit;
    return fmt::format("bench {}{}", kVersion, commit == "unknown" ? "" : fmt::format(" ({})", commit));
}

/// An option that may be given again takes one value each time, so that what follows it is an argument; but --history,
/// whose eight and more are a pattern of the shell.
void take_one_value_each(CLI::App& app) {
    for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
        take_one_value_each(*command);
        for (CLI::Option* option : command->get_options())
            if (option->nonpositional() && !option->check_lname("history")) option->allow_extra_args(false);
    }
}

}  // namespace

Parsed parse_options(const std::vector<std::string>& arguments) {
    Options options;
    double time_limit_s = 10;
    CLI::App app("Weighs the packaging that numerical Python puts around arithmetic.", "bench");
    app.formatter(std::make_shared<HelpFormat>());  // commands inherit it
    app.set_version_flag("--version", version_text());
    app.require_subcommand(1);
    add_run(app, options, time_limit_s);
    add_list(app, options);
    add_duet(app, options, time_limit_s);
    add_compare(app, options);
    add_explain(app, options, time_limit_s);
    add_pmu(app, options);
    add_doctor(app, options);
    add_profile(app, options);
    add_trend(app, options);
    add_store(app, options);
    add_worker(app, options);
    add_report(app, options);
    add_bisect(app, options, time_limit_s);
    add_export(app, options);
    add_completion(app, options);
    take_one_value_each(app);
    try {
        std::vector<std::string> own = arguments;
        take_program_out(app, own, options);
        std::vector<std::string> reversed(own.rbegin(), own.rend());  // as CLI11 wants them
        app.parse(reversed);
    } catch (const CLI::ParseError& e) {
        if (e.get_exit_code() != 0) return {.options = {}, .error = described(app, e, arguments), .text = {}};
        std::ostringstream out, err;
        app.exit(e, out, err);  // help or version
        return {.options = {}, .error = {}, .text = out.str()};
    }
    options.time_limit = std::chrono::milliseconds(static_cast<std::int64_t>(time_limit_s * 1000));
    for (const std::string& argument : arguments)
        options.command_line += (options.command_line.empty() ? "" : " ") + shell_word(argument);
    return {.options = options, .error = {}, .text = {}};
}

}  // namespace tare::cli
