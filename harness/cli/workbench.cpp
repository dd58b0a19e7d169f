// Opening a subject and talking to its workers.
#include "harness/cli/workbench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "harness/cli/catalogue_cache.h"
#include "harness/cli/interrupt.h"
#include "harness/core/clock.h"
#include "pmu/cpu_choice.h"

namespace tare::cli {

using core::Error;
using core::ErrorCode;
using core::Expected;
using core::List;
using core::Map;
using core::Value;

namespace {

constexpr std::chrono::milliseconds kStartLimit{60'000};  // importing NumPy from a cold disk takes seconds
constexpr std::chrono::minutes kFirstStartLimit{30};      // an editable install is built anew when it is imported
constexpr std::array kThreadVariables = {"OMP_NUM_THREADS",       "OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS",
                                         "MKL_NUM_THREADS",       "BLIS_NUM_THREADS",     "NUMEXPR_NUM_THREADS",
                                         "VECLIB_MAXIMUM_THREADS"};

/// A worker that fails before its first case has a broken environment, whatever the code says.
tl::unexpected<Error> start_failure(const measure::Subject& subject, const Error& error) {
    if (error.code == ErrorCode::kInterrupted) return tl::unexpected<Error>(error);
    const std::string hint = error.hint.empty() ? fmt::format("try: {} -c 'import numpy'", subject.python) : error.hint;
    return core::fail(ErrorCode::kEnvironment,
                      fmt::format("cannot start a worker for {}: {}", subject.python, error.what), hint);
}

/// One error in place of a warning a file: where all files fail, they fail for one reason, such as a broken NumPy.
tl::unexpected<Error> nothing_readable(const measure::Subject& subject, const core::Catalogue& catalogue) {
    const std::size_t others = catalogue.problems.size() - 1;
    return core::fail(
        ErrorCode::kEnvironment,
        fmt::format("no file of the suite can be read: {}{}", catalogue.problems.front().error,
                    others > 0 ? fmt::format(" (and {} more)", others) : ""),
        fmt::format("does {} import what they need? try: {} -c 'import numpy'", subject.python, subject.python));
}

}  // namespace

std::string chosen_python(const SubjectOptions& options) {
    if (!options.python.empty()) return options.python;
    const char* preset = std::getenv("TARE_PYTHON");
    return preset != nullptr && *preset != '\0' ? preset : "python3";
}

Expected<Workbench> Workbench::open(const SubjectOptions& options) {
    Workbench bench;
    bench.options_ = options;
    if (const Expected<std::vector<int>> enough = pmu::cpus_for_threads(0, options.threads); !enough)
        return tl::unexpected<Error>(enough.error());
    Expected<Installation> installation = find_installation();
    if (!installation) return tl::unexpected<Error>(installation.error());
    bench.installation_ = *std::move(installation);
    Expected<measure::Subject> subject = measure::probe_subject(chosen_python(options), measure::default_cache_dir());
    if (!subject) return tl::unexpected<Error>(subject.error());
    bench.subject_ = *std::move(subject);
    const bool finds_more =
        std::ranges::any_of(options.environment, [](const auto& variable) { return variable.first == "PYTHONPATH"; });
    if (options.suites.empty() && options.expression.empty() && !bench.subject_.has_numpy() && !finds_more)
        return core::fail(
            ErrorCode::kEnvironment,
            fmt::format("{} has no NumPy, which the shipped suite measures", bench.subject_.python),
            fmt::format("install it ({} -m pip install numpy), name another environment, or a suite of your own "
                        "with --suite",
                        bench.subject_.python));
    Expected<measure::WorkerCommand> command = measure::choose_worker(
        bench.subject_, options.host, bench.installation_.worker_dirs, bench.installation_.package_dir);
    if (!command) return tl::unexpected<Error>(command.error());
    bench.command_ = *std::move(command);
    return bench;
}

List Workbench::suite_list() const {
    if (!options_.expression.empty()) return {};
    if (options_.suites.empty()) return {installation_.suite_dir.string()};
    List suites;
    for (const std::string& suite : options_.suites)
        suites.emplace_back(std::filesystem::absolute(suite).lexically_normal().string());
    return suites;
}

Expected<Value> Workbench::load(measure::WorkerLink& worker, const Value& cases,
                                std::chrono::milliseconds limit) const {
    Value expression;
    if (!options_.expression.empty())
        expression = Map{{"statement", options_.expression}, {"setup", options_.setup}, {"each", options_.setup_each}};
    Expected<Value> described = worker.request(
        Map{{"op", "load"}, {"suites", suite_list()}, {"expression", expression}, {"cases", cases}}, limit);
    if (!described) {
        const Error& error = described.error();
        if (!options_.expression.empty() && error.code == ErrorCode::kCaseFailed)
            return core::fail(ErrorCode::kUsage, fmt::format("the expression cannot be used: {}", error.what),
                              error.hint);
        return start_failure(subject_, error);
    }
    if (!options_.expression.empty())
        for (const Value& problem : (*described)["problems"].as_list())
            return core::fail(
                ErrorCode::kUsage, fmt::format("the expression cannot be used: {}", problem["error"].as_text()),
                "-e takes Python statements, --setup and --setup-each the code that assigns their variables");
    return described;
}

Expected<std::unique_ptr<measure::WorkerLink>> Workbench::spawn(const measure::WorkerDraw& draw, std::optional<int> cpu,
                                                                const Value& cases, Addresses addresses) const {
    return start(draw, cpu, cases, kStartLimit, addresses);
}

Expected<std::unique_ptr<measure::WorkerLink>> Workbench::first_worker(std::optional<int> cpu) const {
    return start({}, cpu, {}, kFirstStartLimit, Addresses::kRandom);
}

Expected<std::unique_ptr<measure::WorkerLink>> Workbench::start(const measure::WorkerDraw& draw, std::optional<int> cpu,
                                                                const Value& cases, std::chrono::milliseconds limit,
                                                                Addresses addresses) const {
    measure::SpawnSettings settings;
    settings.fixed_addresses = addresses == Addresses::kFixed;
    settings.argv = command_.argv;
    settings.environment = command_.environment;
    settings.environment.emplace_back("TARE_HOST", measure::name_of(command_.host));
    settings.environment.emplace_back("TARE_PADDING", std::string(draw.padding_bytes, 'x'));
    settings.environment.emplace_back("PYTHONHASHSEED", std::to_string(draw.hash_seed));
    settings.environment.emplace_back("PYTHONUNBUFFERED", "1");  // what a case prints must show before its batch ends
    for (const char* variable : kThreadVariables)
        settings.environment.emplace_back(variable, std::to_string(options_.threads));
    for (const auto& variable : options_.environment) {  // the user's replaces ours
        std::erase_if(settings.environment, [&](const auto& ours) { return ours.first == variable.first; });
        settings.environment.push_back(variable);
    }
    if (cpu) {
        Expected<std::vector<int>> cpus = pmu::cpus_for_threads(*cpu, options_.threads);
        if (!cpus) return tl::unexpected<Error>(cpus.error());
        settings.cpus = *std::move(cpus);
    }
    settings.interrupted = interrupted;
    auto spawned = measure::WorkerProcess::spawn(settings);
    if (!spawned) return tl::unexpected<Error>(spawned.error());
    std::unique_ptr<measure::WorkerLink> worker = *std::move(spawned);
    if (Expected<Value> hello = worker->request(Map{{"op", "hello"}}, limit); !hello)
        return start_failure(subject_, hello.error());
    if (Expected<Value> loaded = load(*worker, cases, limit); !loaded) return tl::unexpected<Error>(loaded.error());
    return worker;
}

Expected<core::Catalogue> Workbench::catalogue() const {
    const List suites = suite_list();
    std::string key =
        subject_.python + '|' + subject_.version_text + '|' + subject_.numpy_path + '|' + subject_.numpy_version;
    for (const Value& suite : suites) key += '|' + suite.as_text();
    for (const auto& [name, value] : options_.environment) key += fmt::format("|{}={}", name, value);
    const std::filesystem::path cache_dir = measure::default_cache_dir();
    if (options_.expression.empty())
        if (const auto described = cached_catalogue(cache_dir, key)) return catalogue_of(*described);
    for (const Value& suite : suites) {
        std::error_code failure;
        if (!std::filesystem::is_directory(suite.as_text(), failure))
            return core::fail(ErrorCode::kUsage, fmt::format("--suite {}: no such folder", suite.as_text()),
                              "name a folder of .py files that declare operations (benchmarks/README.md)");
    }
    const double asked_unix_s = core::unix_time_s();
    auto worker = first_worker(std::nullopt);
    if (!worker) return tl::unexpected<Error>(worker.error());
    Expected<Value> described = load(**worker, {}, kStartLimit);
    if (!described) return tl::unexpected<Error>(described.error());
    core::Catalogue catalogue = catalogue_of(*described);
    if (catalogue.cases.empty() && !catalogue.problems.empty()) return nothing_readable(subject_, catalogue);
    // A file that could not be read may be put right by installing a package, which changes no file that is watched.
    if (options_.expression.empty() && catalogue.problems.empty())
        cache_catalogue(cache_dir, key, *described, suites, asked_unix_s);
    return catalogue;
}

Expected<Value> Workbench::subject_facts(measure::WorkerLink& worker) const {
    Expected<Value> hello = worker.request(Map{{"op", "hello"}}, kStartLimit);
    if (!hello) return hello;
    Expected<Value> facts = worker.request(Map{{"op", "facts"}}, kStartLimit);
    if (!facts) return facts;
    Map all = facts->as_map();
    all.insert_or_assign("worker", *hello);
    return Value(std::move(all));
}

}  // namespace tare::cli
