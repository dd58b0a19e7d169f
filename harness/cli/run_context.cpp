// Gathers facts; measures nothing.
#include "harness/cli/run_context.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <unistd.h>

#include "harness/cli/build_info.h"
#include "harness/cli/message.h"
#include "harness/cli/steering_variables.h"
#include "harness/core/clock.h"
#include "harness/measure/best_references.h"
#include "harness/measure/subject.h"
#include "harness/record/packages.h"
#include "pmu/machine_facts.h"

namespace tare::cli {

using core::List;
using core::Map;
using core::Value;

namespace {

std::string utc_date(double unix_s) {
    return fmt::format("{:%Y-%m-%dT%H:%M:%S}+00:00", fmt::gmtime(static_cast<std::time_t>(unix_s)));
}

}  // namespace

Map machine_context(const Installation& installation, int cpu, double started_s) {
    Map context = pmu::machine_facts().as_map();
    context.insert_or_assign("date", utc_date(started_s));
    context.insert_or_assign("aslr_enabled", context["aslr"].as_int() > 0);
    context.insert_or_assign("measured_cpu", cpu);
    context.insert_or_assign("tare_version", kVersion);
    context.insert_or_assign("tare_commit", installation.commit);
    return context;
}

/// What the cases are about: what the user says, and of the shipped suite NumPy.
std::string package_of(const SubjectOptions& subject) {
    if (!subject.package.empty()) return record::normalized_package(subject.package);
    return subject.suites.empty() && subject.expression.empty() ? "numpy" : "";
}

Map subject_context(const Workbench& bench) {
    const measure::Subject& subject = bench.subject();
    Map context;
    context.insert_or_assign("executable", subject.python);
    context.insert_or_assign("host", measure::name_of(bench.command().host));
    context.insert_or_assign("subject", Map{{"python", subject.python},
                                            {"real_executable", subject.real_executable},
                                            {"version", subject.version},
                                            {"version_text", subject.version_text},
                                            {"abi", subject.abi},
                                            {"prefix", subject.prefix},
                                            {"base_prefix", subject.base_prefix},
                                            {"executable_build_id", subject.executable_build_id},
                                            {"libpython_path", subject.libpython_path},
                                            {"libpython_build_id", subject.libpython_build_id},
                                            {"numpy_version", subject.numpy_version},
                                            {"numpy_path", subject.numpy_path}});
    if (const std::string package = package_of(bench.options()); !package.empty())
        context.insert_or_assign("package", package);
    List warnings;
    for (const std::string& warning : bench.command().warnings) warnings.emplace_back(warning);
    context.insert_or_assign("warnings", std::move(warnings));
    Map environment;
    for (const auto& [name, value] : steering_variables(environ)) environment.insert_or_assign(name, value);
    for (const auto& [name, value] : bench.options().environment) environment.insert_or_assign(name, value);
    context.insert_or_assign("environment", std::move(environment));
    return context;
}

Map context_at_start(const Workbench& bench, int cpu, double started_s) {
    Map context = machine_context(bench.installation(), cpu, started_s);
    add_subject(context, subject_context(bench));
    return context;
}

void add_subject(Map& context, const Value& facts) {
    for (const auto& [key, value] : facts.as_map()) context.insert_or_assign(key, value);
}

core::Status learn_packages(const Streams& streams, measure::WorkerLink& worker, Map& subject,
                            const std::string& side) {
    constexpr std::chrono::seconds kLimit{60};
    const core::Expected<Value> told = worker.request(Map{{"op", "packages"}}, kLimit);
    if (!told && told.error().code == core::ErrorCode::kInterrupted) return tl::unexpected(told.error());
    if (!told) {  // what is measured does not depend on it
        print_warning(streams, fmt::format("{}which packages were loaded is not known: {}", side, told.error().what));
        return {};
    }
    record::add_packages(subject, *told);
    const auto about = subject.find("package");
    const record::Packages loaded = record::packages_of(subject);
    if (about == subject.end() || loaded.empty() || loaded.contains(about->second.as_text())) return {};
    std::string names;
    for (const auto& [name, version] : loaded) names += (names.empty() ? "" : ", ") + name;
    print_warning(streams, fmt::format("{}--package {}: no code of it was loaded, but of {}", side,
                                       about->second.as_text(), names));
    return {};
}

std::string reference_machine(const Value& facts) {
    return fmt::format("{} with {} CPUs", facts["fingerprint"].as_text(), facts["num_cpus"].as_int());
}

core::References known_references(const Value& facts) {
    const measure::KnownRuns known = measure::known_runs(measure::default_cache_dir(), reference_machine(facts));
    core::References best = measure::best_of(known.runs);
    best.clock_ghz = known.usual_ghz;
    return best;
}

void add_page_cache(Map& context, const record::PageCacheRedraw& redraw) {
    context.insert_or_assign("page_cache", Map{{"files", static_cast<std::int64_t>(redraw.files.size())},
                                               {"kept", List(redraw.kept.begin(), redraw.kept.end())},
                                               {"rounds", redraw.rounds},
                                               {"rounds_redrawn", redraw.rounds_redrawn},
                                               {"refused", redraw.refused}});
}

void add_references(Map& context, const measure::ReferenceWatch& watch) {
    const core::References best = watch.best_at_clock();
    if (!(best.l1_cycles > 0)) return;
    context.insert_or_assign("references", Map{{"l1_best_cycles", best.l1_cycles},
                                               {"alu_best_cycles", best.alu_cycles},
                                               {"l1_low_cycles", watch.low().l1_cycles},
                                               {"alu_low_cycles", watch.low().alu_cycles},
                                               {"clock_ghz", watch.clock_ghz()},
                                               {"at_clock_ghz", best.clock_ghz},
                                               {"quiet_limit", core::kQuietLimit},
                                               {"quiet_ratio", watch.quiet_ratio()},
                                               {"waited_s", watch.waited_ns() * 1e-9}});
}

void remember_references(const std::string& machine, const measure::ReferenceWatch& watch) {
    if (watch.readings() < measure::ReferenceWatch::kFewestReadings) return;
    // A cache that cannot be written was reported when the subject was looked for.
    core::References found = watch.low();
    found.clock_ghz = watch.clock_ghz();
    (void)measure::add_run(measure::default_cache_dir(), machine, found);
}

void add_end(Map& context, double started_s, const core::Expected<pmu::CpuTimes>& before, int cpu) {
    const Value now = pmu::machine_facts();
    context.insert_or_assign("load_avg_at_end", now["load_avg"]);
    context.insert_or_assign("duration_s", core::unix_time_s() - started_s);
    const core::Expected<pmu::CpuTimes> after = pmu::cpu_times(cpu);
    const auto share = before && after ? pmu::steal_share(*before, *after) : std::nullopt;
    context.insert_or_assign("steal_ratio", share ? Value(*share) : Value());
    if (!share)
        context.insert_or_assign("steal_ratio_reason", !before  ? before.error().what
                                                       : !after ? after.error().what
                                                                : "the run was shorter than a clock tick");
}

Map run_settings(const Options& options, std::uint64_t seed, std::size_t cases) {
    List suites;
    for (const std::string& suite : options.subject.suites) suites.emplace_back(suite);
    Map settings{{"filter", options.filter},
                 {"suites", std::move(suites)},
                 {"cases", cases},
                 {"rounds", options.rounds},
                 {"within_ratio", 0.01 * options.within_percent.value_or(0)},
                 {"seed", fmt::format("{}", seed)},  // text: JSON numbers end at 2^53
                 {"threads", options.subject.threads},
                 {"unroll", options.unroll},
                 {"visit_budget_s", options.visit_budget_s},
                 {"wait_s", options.wait_s ? Value(*options.wait_s) : Value()},
                 {"time_limit_s", std::chrono::duration<double>(options.time_limit).count()}};
    if (!options.subject.expression.empty()) {
        settings.insert_or_assign("expression", options.subject.expression);
        settings.insert_or_assign("setup", options.subject.setup);
        if (!options.subject.setup_each.empty()) settings.insert_or_assign("setup_each", options.subject.setup_each);
    }
    if (!options.counters.list.empty())
        settings.insert_or_assign("counters", Map{{"list", options.counters.list},
                                                  {"kernel", options.counters.kernel},
                                                  {"required", options.counters.required}});
    if (options.sampling.wanted) settings.insert_or_assign("profile", Map{{"rate_hz", options.sampling.rate_hz}});
    if (options.ledger.wanted)
        settings.insert_or_assign("ledger",
                                  Map{{"layouts", options.ledger.layouts}, {"step_limit", options.ledger.step_limit}});
    return settings;
}

}  // namespace tare::cli
