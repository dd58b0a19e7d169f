// What the commands' options have in common: choices of words, numbers within bounds, texts that must not be blank.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "harness/cli/options.h"

namespace tare::cli {

template <class T>
using Choices = std::vector<std::pair<std::string, T>>;

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

/// Rows of functions that a table may be asked for.
inline constexpr int kMostFunctions = 10'000;

[[nodiscard]] CLI::Validator not_blank(const char* what);

void add_cpu(CLI::App& command, std::optional<int>& cpu, const char* help);
/// Where a case is measured and for how long: --cpu, --seed, --time-limit.
void add_measuring_options(CLI::App& command, Options& options, double& time_limit_s);
/// --with, of what makes environments.
CLI::Option* add_beside(CLI::App& command, std::vector<std::string>& beside);
/// --package
void add_package(CLI::App& command, std::string& package);
/// -e, --setup and --setup-each; the statement replaces the option `--suite`.
void add_expression(CLI::App& command, std::string& expression, std::string& setup, std::string& setup_each);
void add_filter(CLI::App& command, Options& options);
void add_host(CLI::App& command, std::optional<measure::Host>& host);
void add_threads(CLI::App& command, int& threads);
/// --counters and --count-kernel.
void add_counter_options(CLI::App& command, CounterOptions& counters);
void add_format(CLI::App& command, Format& format);
/// --format, --store.
void add_output_options(CLI::App& command, Options& options);

// The commands. `time_limit_s` is read once all is parsed.
void add_run(CLI::App& app, Options& options, double& time_limit_s);
void add_list(CLI::App& app, Options& options);
void add_duet(CLI::App& app, Options& options, double& time_limit_s);
void add_compare(CLI::App& app, Options& options);
void add_explain(CLI::App& app, Options& options, double& time_limit_s);
void add_pmu(CLI::App& app, Options& options);
void add_doctor(CLI::App& app, Options& options);
void add_profile(CLI::App& app, Options& options);
/// Of `bench profile`: takes the program out of the arguments, whose options are not ours.
void take_program_out(const CLI::App& app, std::vector<std::string>& arguments, Options& options);
void add_trend(CLI::App& app, Options& options);
void add_store(CLI::App& app, Options& options);
void add_worker(CLI::App& app, Options& options);
void add_report(CLI::App& app, Options& options);
void add_export(CLI::App& app, Options& options);
/// After all others: what they are goes into its scripts.
void add_completion(CLI::App& app, Options& options);
/// --rate of samples taken within batches.
CLI::Option* add_sampling_rate(CLI::App& command, SamplingOptions& options);
void add_bisect(CLI::App& app, Options& options, double& time_limit_s);
/// --ledger and what goes with it.
void add_ledger_options_of_run(CLI::App& run, Options& options);

}  // namespace tare::cli
