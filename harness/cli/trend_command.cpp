// Asks the store's index, looks for change points, prints. Measures nothing itself.
#include "harness/cli/trend_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

#include "harness/cli/change_confirmation.h"
#include "harness/cli/message.h"
#include "harness/cli/nearest_names.h"
#include "harness/cli/store_access.h"
#include "harness/history/confirmation.h"
#include "harness/history/record_surroundings.h"
#include "harness/history/store_index.h"
#include "harness/history/time_series.h"
#include "harness/history/trend_exports.h"
#include "harness/history/trend_table.h"
#include "harness/record/packages.h"
#include "pmu/machine_facts.h"

namespace tare::cli {

using core::Error;
using core::ErrorCode;
using core::Expected;
using core::Series;
using core::Status;

namespace {

constexpr const char* kGross = "gross";

/// What was looked for, and found.
struct Found {
    std::string metric;
    std::vector<Series> series;
    std::vector<std::string> notes;
};

Error nothing_stored(const record::Store& store, const history::StoreIndex& index) {
    if (const std::size_t refused = index.refused().size(); refused > 0)
        return {ErrorCode::kUsage,
                fmt::format("the store '{}' holds no record that can be read; {} {}", store.root.string(), refused,
                            refused == 1 ? "file is no record" : "files are no records"),
                "`bench store check` says why"};
    return {ErrorCode::kUsage, fmt::format("the store '{}' holds no record", store.root.string()),
            "fill it with `bench run` or `bench duet`, or name another one with --store or TARE_STORE"};
}

/// What the clock tells, by runs: a neighbour moves it.
bool is_timed(std::string_view metric) {
    constexpr std::array<std::string_view, 6> kTimed = {kGross, "net", "tare", "call", "cpp", "timed_cycles"};
    return std::ranges::find(kTimed, metric) != kTimed.end();
}

/// Cases of these records whose batches were busy, and how many records have such; empty: none, or nothing to `metric`.
std::string busy_note(const std::vector<history::IndexedRecord>& records, const std::string& machine,
                      std::string_view metric) {
    if (!is_timed(metric)) return {};
    std::size_t cases = 0, with = 0;
    for (const history::IndexedRecord& record : records) {
        if (record.busy_cases == 0 || !record.machine.starts_with(machine)) continue;
        cases += record.busy_cases;
        ++with;
    }
    if (cases == 0) return {};
    return fmt::format("busy: {} case{} of {} record{} without times; others used the core for all but a few batches",
                       cases, cases == 1 ? "" : "s", with, with == 1 ? "" : "s");
}

/// Why nothing was found, in the order in which it was looked for. At least one record is there.
Expected<Error> nothing_found(history::StoreIndex& index, const TrendOptions& own, const std::string& metric,
                              const std::vector<history::IndexedRecord>& records) {
    const auto metrics = index.metrics();
    if (!metrics) return tl::unexpected(metrics.error());
    const std::string busy = busy_note(records, own.machine, metric);
    const std::string has =
        fmt::format("the records have: {}{}{}", fmt::join(*metrics, ", "), busy.empty() ? "" : "; ", busy);
    if (std::find(metrics->begin(), metrics->end(), metric) == metrics->end())
        return Error{ErrorCode::kUsage, fmt::format("no record has a metric '{}'", metric), has};
    std::set<std::string> machines;
    for (const history::IndexedRecord& record : records) machines.insert(record.machine);
    if (std::none_of(machines.begin(), machines.end(),
                     [&](const std::string& each) { return each.starts_with(own.machine); }))
        return Error{ErrorCode::kUsage, fmt::format("no record was made on a machine '{}'", own.machine),
                     fmt::format("the machines are: {}", fmt::join(machines, ", "))};
    const auto of_metric = index.series({"", metric, own.machine});
    if (!of_metric) return tl::unexpected(of_metric.error());
    std::vector<std::string> names;
    for (const Series& each : *of_metric)
        if (names.empty() || names.back() != each.key.case_name) names.push_back(each.key.case_name);
    const auto matching = index.series({own.pattern, kGross, own.machine});
    if (matching && !matching->empty())
        return Error{ErrorCode::kUsage,
                     fmt::format("no case that matches '{}' has a value of '{}'", own.pattern, metric), has};
    const std::vector<std::string> nearest = nearest_names(own.pattern, names, 5);
    return Error{ErrorCode::kUsage, fmt::format("'{}' matches none of {} cases", own.pattern, names.size()),
                 nearest.empty() ? "" : fmt::format("nearest: {}", fmt::join(nearest, ", "))};
}

Expected<Found> find_series(history::StoreIndex& index, const TrendOptions& own, const std::string& package,
                            const std::vector<history::IndexedRecord>& records) {
    Found found{own.metric.empty() ? kGross : own.metric, {}, {}};
    auto series = own.metric.empty() ? history::time_series(index, {own.pattern, {}, own.machine, package})
                                     : index.series({own.pattern, own.metric, own.machine, package});
    if (!series) return tl::unexpected<Error>(series.error());
    if (series->empty()) {
        const Expected<Error> why = nothing_found(index, own, found.metric, records);
        return tl::unexpected<Error>(why ? *why : why.error());
    }
    if (!own.metric.empty()) history::drop_single_anchors(*series);
    found.metric = series->front().key.metric;
    if (own.metric.empty()) {
        const auto gross = static_cast<std::size_t>(
            std::ranges::count_if(*series, [](const Series& each) { return each.key.metric == kGross; }));
        if (gross < series->size())
            found.notes.push_back("anchored: multiples of a reference measured beside; --metric gross shows runs");
        if (gross > 0 && gross < series->size())
            found.notes.push_back(
                fmt::format("{} series of gross: no history beside a reference of these cases is as long", gross));
    }
    found.series = *std::move(series);
    return found;
}

/// The asked one; else versions, where the longest series holds several and at most three records of each: more are a
/// history by date, which one point a version would hide.
history::Axis axis_of(const TrendOptions& own, const std::vector<Series>& series) {
    constexpr std::size_t kMostRecordsAVersion = 3;
    if (own.axis) return *own.axis;
    const Series& longest = *std::max_element(series.begin(), series.end(), [](const Series& a, const Series& b) {
        return a.points.size() < b.points.size();
    });
    std::set<std::string> versions;
    for (const core::SeriesPoint& point : longest.points) versions.insert(point.version);
    const bool by_version = versions.size() > 1 && !versions.contains("") &&
                            versions.size() * kMostRecordsAVersion >= longest.points.size();
    return by_version ? history::Axis::kVersion : history::Axis::kDate;
}

/// Points without a place on the axis are left out, and said.
std::string left_out_note(const std::vector<Series>& series, history::Axis axis) {
    if (axis == history::Axis::kDate) return {};
    std::size_t count = 0;
    for (const Series& each : series)
        count += static_cast<std::size_t>(
            std::count_if(each.points.begin(), each.points.end(), [&](const core::SeriesPoint& point) {
                return (axis == history::Axis::kVersion ? point.version : point.commit).empty();
            }));
    if (count == 0) return {};
    return fmt::format("{} point{} left out: the record has no {} (--by date shows all)", count, count == 1 ? "" : "s",
                       history::name_of(axis));
}

/// Versions of several packages on one axis: which one is meant is for the user to say.
std::string about_note(const std::vector<Series>& series, history::Axis axis) {
    if (axis != history::Axis::kVersion) return {};
    for (const Series& each : series)
        for (const core::SeriesPoint& point : history::on_axis(each, axis).points)
            if (const std::string& version = point.version; version.find(", ") != std::string::npos)
                return fmt::format(
                    "the records do not say what they are about ({}): --package NAME goes by its versions", version);
    return {};
}

void print(const history::TrendReport& report, Format format, const Streams& streams) {
    switch (format) {
        case Format::kTable:
            streams.out << print_trend_table(report, streams.width, {.color = streams.color, .unicode = true});
            break;
        case Format::kJson:
            streams.out << print_trend_json(report);
            break;
        case Format::kCsv:
            streams.out << print_trend_csv(report);
            break;
        case Format::kMarkdown:
            streams.out << print_trend_markdown(report);
            break;
    }
    streams.out.flush();
}

void warn_of_store(const history::StoreIndex& index, const Streams& streams) {
    for (const std::string& note : index.notes()) print_warning(streams, note);
    if (const std::size_t refused = index.refused().size(); refused > 0)
        print_warning(streams,
                      fmt::format("{} file{} of the store left out (the first: {}); `bench store check` names all",
                                  refused, refused == 1 ? "" : "s", index.refused().front().error.what));
}

Status show_trends(const Options& options, const Streams& streams) {
    const TrendOptions& own = options.trend;
    const Expected<record::Store> store = open_existing_store(options);
    if (!store) return tl::unexpected<Error>(store.error());
    Expected<history::StoreIndex> index = history::StoreIndex::open(*store);
    if (!index) return tl::unexpected<Error>(index.error());
    const auto records = index->records();
    if (!records) return tl::unexpected<Error>(records.error());
    if (records->empty()) return tl::unexpected<Error>(nothing_stored(*store, *index));
    const std::string package = record::normalized_package(options.subject.package);
    Expected<Found> found = find_series(*index, own, package, *records);
    if (!found) return tl::unexpected<Error>(found.error());
    index->let_go();
    warn_of_store(*index, streams);

    history::TrendReport report{
        store->root.string(), found->metric, axis_of(own, found->series), {}, {}, std::move(found->notes), {}};
    for (const history::IndexedRecord& record : *records) report.machines[record.machine] = record.machine_text;
    if (const std::string note = left_out_note(found->series, report.axis); !note.empty()) report.notes.push_back(note);
    if (std::string note = busy_note(*records, own.machine, report.metric); !note.empty())
        report.notes.push_back(std::move(note));
    if (std::string note = about_note(found->series, report.axis); !note.empty())
        report.notes.push_back(std::move(note));
    if (report.axis == history::Axis::kCommit) report.notes.push_back(history::commit_order_note());
    report.trends = history::find_trends(std::move(found->series), report.axis);
    std::erase_if(report.trends, [](const history::Trend& trend) { return trend.series.points.empty(); });
    if (report.trends.empty())
        return core::fail(ErrorCode::kUsage, fmt::format("no record of these cases has a {}", name_of(report.axis)),
                          "show them by date: --by date");
    history::confirm_from_records(*store, *records, report.trends, package);
    Status confirmed;
    if (own.confirm)
        confirmed = confirm_by_duets(options, streams, history::machine_of(pmu::machine_facts()), report.trends);
    if (!confirmed && confirmed.error().code != ErrorCode::kInterrupted) return confirmed;
    if (!confirmed) report.notes.emplace_back("interrupted: what is still proposed was not compared");
    report.counts = history::counts_of(report.trends);
    if (own.changed) {
        std::erase_if(report.trends, [](const history::Trend& trend) { return !history::is_changed(trend); });
        report.notes.push_back(
            fmt::format("--changed: {} series that did not change, as far as is known, are not shown",
                        report.counts.all - report.trends.size()));
    }
    print(report, options.format, streams);
    return confirmed;
}

}  // namespace

ExitCode trend_command(const Options& options, const Streams& streams) {
    const Status shown = show_trends(options, streams);
    if (shown) return ExitCode::kDone;
    if (shown.error().code != ErrorCode::kInterrupted) print_error(streams, shown.error());
    return exit_code_of(shown.error());
}

}  // namespace tare::cli
