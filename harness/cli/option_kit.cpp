// The options that several commands take.
#include "harness/cli/option_kit.h"

#include <algorithm>
#include <cctype>

namespace tare::cli {

namespace {

constexpr int kMaxCpu = 1 << 20;  // beyond any Linux; which CPUs there are is asked later
constexpr int kMaxThreads = 4096;

const Choices<Format> kFormats = {
    {"table", Format::kTable}, {"json", Format::kJson}, {"csv", Format::kCsv}, {"markdown", Format::kMarkdown}};
const Choices<measure::Host> kHosts = {{"embedded", measure::Host::kEmbedded},
                                       {"executable", measure::Host::kExecutable}};

}  // namespace

CLI::Validator not_blank(const char* what) {
    return {[what](const std::string& text) {
                const bool blank = text.find_first_not_of(" \t\n") == std::string::npos;
                return blank ? fmt::format("'{}' is no {}", text, what) : std::string();
            },
            ""};
}

void add_cpu(CLI::App& command, std::optional<int>& cpu, const char* help) {
    command.add_option("--cpu", cpu, help)->check(between(0, kMaxCpu));
}

void add_measuring_options(CLI::App& command, Options& options, double& time_limit_s) {
    add_cpu(command, options.cpu, "CPU to pin workers to (default: the last one allowed)");
    command.add_option("--seed", options.seed, "seed of order, layouts and hash seeds (default: random, recorded)");
    command.add_option("--time-limit", time_limit_s, "seconds after which a silent case is given up (default: 10)")
        ->check(between(0.1, 86400.0));
}

void add_package(CLI::App& command, std::string& package) {
    command
        .add_option("--package", package,
                    "the distribution that the cases are about, whose version and commit the record goes by "
                    "(default: NumPy of the shipped suite, else unknown)")
        ->type_name("NAME")
        ->check([](const std::string& name) -> std::string {
            // What is no name would be an option or a place to pip.
            const auto is_word = [](unsigned char c) { return std::isalnum(c) != 0; };
            const bool named =
                !name.empty() && is_word(name.front()) && is_word(name.back()) &&
                std::ranges::all_of(name, [&](char c) { return is_word(c) || c == '-' || c == '_' || c == '.'; });
            return named ? "" : fmt::format("'{}' is no name of a distribution", name);
        });
}

CLI::Option* add_beside(CLI::App& command, std::vector<std::string>& beside) {
    return command
        .add_option(
            "--with", beside,
            "requirement that each environment holds beside the release, 'numpy<2'; may be given again (default: "
            "what pip installs for it)")
        ->type_name("REQUIREMENT")
        ->take_all()
        ->check([](const std::string& requirement) -> std::string {
            const bool named = !requirement.empty() && std::isalnum(static_cast<unsigned char>(requirement[0])) != 0;
            return named ? "" : fmt::format("'{}' is no requirement of pip", requirement);
        });
}

void add_expression(CLI::App& command, std::string& expression, std::string& setup, std::string& setup_each) {
    CLI::Option* statement =
        command.add_option("-e,--expression", expression, "measure this one statement instead of a suite")
            ->check(not_blank("statement"))
            ->excludes(command.get_option("--suite"));
    command
        .add_option("--setup", setup,
                    "code whose variables the statement of -e uses; it runs anew for each placement in memory, every "
                    "few batches")
        ->needs(statement);
    command
        .add_option("--setup-each", setup_each,
                    "code that runs before each execution of the statement of -e, which is then timed alone: for what "
                    "it changes and would find changed")
        ->check(not_blank("set-up of each execution"))
        ->needs(statement);
}

void add_filter(CLI::App& command, Options& options) {
    command.add_option("--filter", options.filter,
                       "regular expression searched in the names of cases, as in '^add\\['");
}

void add_host(CLI::App& command, std::optional<measure::Host>& host) {
    add_choice(command, "--host", kHosts, host,
               "embedded or executable: how the worker holds CPython (default: as the subject itself does)");
}

void add_threads(CLI::App& command, int& threads) {
    command.add_option("--threads", threads, "threads of BLAS and OpenMP, on as many CPUs (default: 1)")
        ->check(between(1, kMaxThreads));
}

void add_counter_options(CLI::App& command, CounterOptions& counters) {
    command
        .add_option("--counters", counters.list,
                    "what to count: default, none, or names divided by commas (cycles, branch-misses, page-faults, "
                    "..., events of `bench pmu list`)")
        ->check(not_blank("list of counters"))
        ->type_name("LIST");
    command.add_flag("--count-kernel", counters.kernel,
                     "count in the kernel, too (default: user space only; needs perf_event_paranoid 1 or CAP_PERFMON)");
}

void add_format(CLI::App& command, Format& format) {
    add_choice(command, "--format", kFormats, format, "what stdout carries: table, json, csv or markdown");
}

void add_output_options(CLI::App& command, Options& options) {
    command.add_option("--store", options.store,
                       "folder of records; before a command uses it, what a killed run left becomes a record "
                       "(default: $TARE_STORE, else the user's data folder)");
    add_format(command, options.format);
}

}  // namespace tare::cli
