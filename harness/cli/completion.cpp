// Made from the options themselves, so that none is forgotten.
#include "harness/cli/completion.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <vector>

#include "harness/cli/option_kit.h"

namespace tare::cli {

namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App*) { return true; });
}

/// "run list duet --help --version".
std::string words_of(const CLI::App& app) {
    std::string words;
    const auto add = [&](const std::string& word) { words += (words.empty() ? "" : " ") + word; };
    for (const CLI::App* command : commands_of(app)) add(command->get_name());
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) add("--" + name);
        for (const std::string& name : option->get_snames()) add("-" + name);
    }
    return words;
}

/// Between single quotes, as fish and POSIX shells both read it.
std::string quoted(const std::string& text) {
    std::string plain;
    for (const char c : text)
        if (c != '\'' && c != '\\') plain += c;
    return '\'' + plain + '\'';
}

constexpr const char* kBash = R"(_bench() {{
    local word=${{COMP_WORDS[$COMP_CWORD]}} place='' words='' i
    for ((i = 1; i < COMP_CWORD; ++i)); do
        case "$place ${{COMP_WORDS[$i]}}" in
{}        esac
    done
    case $place in
{}    esac
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _bench bench
)";

/// By place: what was typed so far of commands, "" or " run" or " store import".
void add_places(const CLI::App& app, const std::string& place, std::string& steps, std::string& words) {
    words += fmt::format("        {}) words='{}' ;;\n", quoted(place), words_of(app));
    for (const CLI::App* command : commands_of(app)) {
        const std::string inner = place + ' ' + command->get_name();
        steps += fmt::format("            {}) place={} ;;\n", quoted(inner), quoted(inner));
        add_places(*command, inner, steps, words);
    }
}

/// At the top level, of a command: those that have a command of its name, too (bench list, bench worker list).
std::string others_with(const CLI::App& app, const std::string& name) {
    std::string others;
    for (const CLI::App* command : commands_of(app))
        for (const CLI::App* inner : commands_of(*command))
            if (inner->get_name() == name) others += ' ' + command->get_name();
    return others;
}

/// `seen`: what was typed of commands, as a condition; none at the top level.
std::string fish_lines(const CLI::App& app, const std::string& seen) {
    constexpr const char* kSeen = "__fish_seen_subcommand_from ";
    const std::string condition = seen.empty() ? "__fish_use_subcommand" : seen;
    std::string names, text;
    for (const CLI::App* command : commands_of(app)) names += ' ' + command->get_name();
    const std::string none_yet =
        seen.empty() ? condition : fmt::format("{}; and not __fish_seen_subcommand_from{}", seen, names);
    for (const CLI::App* command : commands_of(app)) {
        const std::string& name = command->get_name();
        text += fmt::format("complete -c bench -n {} -f -a {} -d {}\n", quoted(none_yet), name,
                            quoted(command->get_description()));
        std::string inner = (seen.empty() ? "" : seen + "; and ") + kSeen + name;
        if (const std::string others = others_with(app, name); !others.empty())
            inner += fmt::format("; and not {}{}", kSeen, others.substr(1));
        text += fish_lines(*command, inner);
    }
    for (const CLI::Option* option : app.get_options()) {
        std::string spelt;
        for (const std::string& name : option->get_lnames()) spelt += " -l " + name;
        for (const std::string& name : option->get_snames()) spelt += " -s " + name;
        if (spelt.empty()) continue;
        text += fmt::format("complete -c bench -n {}{}{} -d {}\n", quoted(condition), spelt,
                            option->get_expected_max() > 0 ? " -r" : "", quoted(option->get_description()));
    }
    return text;
}

}  // namespace

std::string completion_script(const CLI::App& app, Shell shell) {
    if (shell == Shell::kFish) return fish_lines(app, "");
    std::string steps, words;
    add_places(app, "", steps, words);
    const std::string bash = fmt::format(kBash, steps, words);
    return shell == Shell::kBash ? bash : "autoload -U +X bashcompinit && bashcompinit\n" + bash;
}

void add_completion(CLI::App& app, Options& options) {
    static const Choices<Shell> kShells = {{"bash", Shell::kBash}, {"zsh", Shell::kZsh}, {"fish", Shell::kFish}};
    CLI::App* command = app.add_subcommand("completion", "what a shell completes after `bench`");
    command->footer(
        "Examples:\n"
        "  bench completion bash > ~/.local/share/bash-completion/completions/bench\n"
        "  bench completion zsh >> ~/.zshrc\n"
        "  bench completion fish > ~/.config/fish/completions/bench.fish\n"
        "Exit codes: 0 done, 2 usage.");
    auto chosen = std::make_shared<Shell>(Shell::kBash);
    add_choice(*command, "SHELL", kShells, *chosen, "bash, zsh or fish");
    command->get_option("SHELL")->required();
    command->callback([&app, &options, chosen] {
        options.command = Command::kCompletion;
        options.completion = completion_script(app, *chosen);
    });
}

}  // namespace tare::cli
