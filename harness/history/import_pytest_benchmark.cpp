// Seconds per iteration throughout; a round is the mean of its iterations.
#include "harness/history/import_pytest_benchmark.h"

#include <limits>

#include "harness/core/stable_hash.h"
#include "harness/history/foreign_date.h"
#include "harness/history/foreign_json.h"

namespace tare::history {

namespace {

constexpr std::string_view kPytestBenchmark = "pytest-benchmark";

std::string test_name_of(const ForeignJson& benchmark) {
    std::string name = text_of(member_of(benchmark, "fullname"));
    return name.empty() ? text_of(member_of(benchmark, "name")) : name;
}

void add_test(ForeignVisits& visits, const ForeignJson& benchmark) {
    const ForeignJson& stats = member_of(benchmark, "stats");
    const ForeignJson& rounds = member_of(stats, "data");
    ForeignTimes times;
    times.n = {static_cast<std::uint64_t>(whole_number_of(member_of(stats, "iterations"), 1).value_or(1))};
    const auto take = [&](const ForeignJson& value) {
        times.wall_s.push_back(number_of(value).value_or(std::numeric_limits<double>::quiet_NaN()));
    };
    if (rounds.is_array() && !rounds.empty())
        for (const ForeignJson& value : rounds) take(value);
    else
        take(member_of(stats, "median"));
    visits.add(test_name_of(benchmark), {std::move(times)});
}

/// "unknown", "unversioned", and what an edited tree had beside its commit: no commit.
std::string saved_commit_of(const ForeignJson& info) {
    if (is_true(member_of(info, "dirty"))) return {};
    const std::string id = text_of(member_of(info, "id"));
    return id.find_first_not_of("0123456789abcdef") == std::string::npos ? id : "";
}

void describe_saved(core::Map& context, const ForeignJson& document, const std::string& machine_name,
                    std::string_view name, const ImportHints& hints) {
    const ForeignJson& machine = member_of(document, "machine_info");
    const ForeignJson& cpu = member_of(machine, "cpu");
    describe_machine(context, kPytestBenchmark,
                     {machine_name, text_of(member_of(cpu, "brand_raw")), text_of(member_of(machine, "machine")),
                      text_of(member_of(machine, "system")), whole_number_of(member_of(cpu, "count"), 1)});
    describe_origin(context, kPytestBenchmark, name, text_of(member_of(document, "version")));
    const ForeignJson& commit = member_of(document, "commit_info");
    const std::string project = hints.project.empty() ? text_of(member_of(commit, "project")) : hints.project;
    describe_subject(context, {text_of(member_of(machine, "python_version")), "", project, saved_commit_of(commit)});
}

}  // namespace

core::Expected<ImportedRun> parse_pytest_benchmark(std::string_view text, std::string_view name,
                                                   const ImportHints& hints) {
    const auto document = parse_foreign(text, name);
    if (!document) return tl::unexpected(document.error());
    const ForeignJson& machine = member_of(*document, "machine_info");
    const ForeignJson& benchmarks = member_of(*document, "benchmarks");
    if (!machine.is_object() || !benchmarks.is_array())
        return tl::unexpected(damaged_file(name, "pytest-benchmark's results have no machine_info or no benchmarks"));
    const std::string made = text_of(member_of(*document, "datetime"));
    const auto made_s = parse_date(made);
    const ForeignJson& commit = member_of(*document, "commit_info");
    const auto committed_s =
        saved_commit_of(commit).empty() ? std::nullopt : parse_date(text_of(member_of(commit, "time")));
    if (!made_s && !committed_s) return tl::unexpected(damaged_file(name, "it has no date"));
    const std::string machine_name = hints.machine.empty() ? text_of(member_of(machine, "node")) : hints.machine;
    if (machine_name.empty()) return tl::unexpected(no_machine(name));

    ImportedRun run;
    run.date_s = committed_s ? *committed_s : *made_s;
    run.identity = core::stable_hash(std::vector<std::string>{
        std::string(kPytestBenchmark), machine_name, made, benchmarks.empty() ? "" : test_name_of(benchmarks.front())});
    core::Map context;
    describe_saved(context, *document, machine_name, name, hints);
    context.insert_or_assign("date", date_text(run.date_s));
    ForeignVisits visits(hints);
    for (const ForeignJson& benchmark : benchmarks) add_test(visits, benchmark);
    run.record.context = std::move(context);
    run.record.settings = core::Map{};
    run.counts = visits.counts();
    run.record.visits = visits.take();
    return run;
}

}  // namespace tare::history
