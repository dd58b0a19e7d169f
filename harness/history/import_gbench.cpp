// Rows by the name of their run, in order of first appearance.
#include "harness/history/import_gbench.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "harness/core/stable_hash.h"
#include "harness/history/foreign_date.h"
#include "harness/history/foreign_json.h"

namespace tare::history {

namespace {

constexpr std::string_view kGoogleBenchmark = "Google Benchmark";
constexpr std::array<std::pair<std::string_view, double>, 4> kUnits = {
    {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}}};

/// What the rows of one run say.
struct Rows {
    std::string name;
    std::string failure;  ///< empty: none
    ForeignTimes iterations;
    std::optional<ForeignTimes> median;
    std::optional<ForeignTimes> mean;
};

using RowNames = std::set<std::string, std::less<>>;

/// What a row is, and of which run.
struct RowKind {
    std::string run_name;
    std::string aggregate;  ///< "mean", "BigO", ...; empty: times of iterations
};

/// Of a file from before 1.5, whose rows have no run_type: an aggregate is told by its name, that of another row and
/// what was appended. The fit of a family's complexity stands under the name of the family, BM_a of BM_a/8.
RowKind kind_by_name(const std::string& name, const RowNames& names) {
    for (const std::string_view aggregate : {"mean", "median", "stddev", "cv", "BigO", "RMS"}) {
        if (!name.ends_with(aggregate) || name.size() < aggregate.size() + 2) continue;
        const std::size_t end = name.size() - aggregate.size() - 1;
        if (name[end] != '_') continue;
        const std::string base = name.substr(0, end);
        const auto member = names.lower_bound(base + '/');
        const bool is_fit = aggregate == "BigO" || aggregate == "RMS";
        if (names.contains(base) || (is_fit && member != names.end() && member->starts_with(base + '/')))
            return {base, std::string(aggregate)};
    }
    return {name, ""};
}

RowKind kind_of(const ForeignJson& row, const RowNames& names) {
    const std::string name = text_of(member_of(row, "name"));
    const std::string run_type = text_of(member_of(row, "run_type"));
    RowKind kind = run_type.empty() ? kind_by_name(name, names) : RowKind{name, ""};
    if (std::string run_name = text_of(member_of(row, "run_name")); !run_name.empty()) kind.run_name = run_name;
    if (run_type == "aggregate") {
        kind.aggregate = text_of(member_of(row, "aggregate_name"));
        if (kind.aggregate.empty()) kind.aggregate = "unknown";
    }
    return kind;
}

/// Seconds; of a row that names none ns, as Google Benchmark's own. Nothing: a unit that is not known.
std::optional<double> unit_of(const ForeignJson& row) {
    const std::string unit = text_of(member_of(row, "time_unit"));
    for (const auto& [word, seconds] : kUnits)
        if (word == unit || unit.empty()) return seconds;
    return std::nullopt;
}

/// A row's times behind those that are there; no number where the row has none.
void append(ForeignTimes& times, const ForeignJson& row) {
    const double factor = unit_of(row).value_or(0);
    const auto wall = number_of(member_of(row, "real_time"));
    times.wall_s.push_back(wall ? *wall * factor : std::numeric_limits<double>::quiet_NaN());
    times.cpu_s.push_back(number_of(member_of(row, "cpu_time")).value_or(0) * factor);
    times.n.push_back(static_cast<std::uint64_t>(whole_number_of(member_of(row, "iterations"), 1).value_or(1)));
}

void take_row(Rows& rows, const ForeignJson& row, const std::string& aggregate) {
    if (is_true(member_of(row, "error_occurred")) || is_true(member_of(row, "skipped"))) {
        rows.failure = text_of(member_of(row, "error_message"));
        if (rows.failure.empty()) rows.failure = text_of(member_of(row, "skip_message"));
        if (rows.failure.empty()) rows.failure = "Google Benchmark recorded that it failed";
        return;
    }
    if (!aggregate.empty() && aggregate != "median" && aggregate != "mean") return;
    if (!unit_of(row)) {
        rows.failure =
            fmt::format("its times are in '{}', not in ns, us, ms or s", text_of(member_of(row, "time_unit")));
        return;
    }
    if (aggregate.empty()) return append(rows.iterations, row);
    ForeignTimes times;
    append(times, row);
    times.n = {1};  // the row's iterations count repetitions
    (aggregate == "median" ? rows.median : rows.mean) = std::move(times);
}

void add_case(ForeignVisits& visits, const Rows& rows) {
    if (!rows.failure.empty()) return visits.add_failed(rows.name, rows.failure);
    const bool only_aggregates = rows.iterations.wall_s.empty();
    if (only_aggregates && !rows.median && !rows.mean) {
        ++visits.counts().not_times;  // a complexity, or statistics of the user's own
        return;
    }
    const bool has_median = rows.median && (!rows.mean || std::isfinite(rows.median->wall_s.front()));
    visits.add(rows.name, {!only_aggregates ? rows.iterations : has_median ? *rows.median : *rows.mean});
}

core::Value caches_of(const ForeignJson& context) {
    core::List caches;
    const ForeignJson& list = member_of(context, "caches");
    if (!list.is_array()) return {};
    for (const ForeignJson& cache : list)
        caches.emplace_back(
            core::Map{{"type", text_of(member_of(cache, "type"))},
                      {"level", whole_number_of(member_of(cache, "level"), 0).value_or(0)},
                      {"size_bytes", whole_number_of(member_of(cache, "size"), 0).value_or(0)},
                      {"num_sharing", whole_number_of(member_of(cache, "num_sharing"), 0).value_or(0)}});
    return caches;
}

void describe(core::Map& context, const ForeignJson& foreign, const std::string& machine_name, std::string_view name,
              const ImportHints& hints) {
    describe_machine(context, kGoogleBenchmark,
                     {machine_name, "", "", "", whole_number_of(member_of(foreign, "num_cpus"), 1)});
    describe_origin(context, kGoogleBenchmark, name,
                    whole_number_of(member_of(foreign, "json_schema_version"), 0).value_or(1));
    describe_subject(context, {"", "", hints.project, ""});
    context.insert_or_assign("executable", known(text_of(member_of(foreign, "executable"))));
    context.insert_or_assign("library_version", known(text_of(member_of(foreign, "library_version"))));
    context.insert_or_assign("caches", caches_of(foreign));
    const auto mhz = number_of(member_of(foreign, "mhz_per_cpu"));
    context.insert_or_assign("mhz_per_cpu", mhz ? core::Value(*mhz) : core::Value());
    const ForeignJson& scaling = member_of(foreign, "cpu_scaling_enabled");
    context.insert_or_assign("cpu_scaling_enabled",
                             scaling.is_boolean() ? core::Value(is_true(scaling)) : core::Value());
}

}  // namespace

core::Expected<ImportedRun> parse_gbench(std::string_view text, std::string_view name, const ImportHints& hints) {
    const auto document = parse_foreign(text, name);
    if (!document) return tl::unexpected(document.error());
    const ForeignJson& foreign = member_of(*document, "context");
    const ForeignJson& rows = member_of(*document, "benchmarks");
    if (!foreign.is_object() || !rows.is_array())
        return tl::unexpected(damaged_file(name, "Google Benchmark's results have no context or no rows"));
    const auto date_s = parse_date(text_of(member_of(foreign, "date")));
    if (!date_s) return tl::unexpected(damaged_file(name, "its context has no date"));
    const std::string machine_name = hints.machine.empty() ? text_of(member_of(foreign, "host_name")) : hints.machine;
    if (machine_name.empty()) return tl::unexpected(no_machine(name));

    std::vector<Rows> runs;
    std::map<std::string, std::size_t, std::less<>> places;
    RowNames names;
    for (const ForeignJson& row : rows) names.insert(text_of(member_of(row, "name")));
    for (const ForeignJson& row : rows) {
        const RowKind kind = kind_of(row, names);
        const auto [place, fresh] = places.try_emplace(kind.run_name, runs.size());
        if (fresh) runs.emplace_back().name = kind.run_name;
        take_row(runs[place->second], row, kind.aggregate);
    }
    ImportedRun run;
    run.date_s = *date_s;
    // Dates have no more than seconds: two calls of one program may share theirs, with different benchmarks.
    run.identity = core::stable_hash(
        std::vector<std::string>{std::string(kGoogleBenchmark), machine_name, text_of(member_of(foreign, "date")),
                                 text_of(member_of(foreign, "executable")), runs.empty() ? "" : runs.front().name});
    core::Map context;
    describe(context, foreign, machine_name, name, hints);
    context.insert_or_assign("date", date_text(run.date_s));
    ForeignVisits visits(hints);
    for (const Rows& each : runs) add_case(visits, each);
    run.record.context = std::move(context);
    run.record.settings = core::Map{};
    run.counts = visits.counts();
    run.record.visits = visits.take();
    return run;
}

}  // namespace tare::history
