// Names of values are those of records: gross_ns, gross_low_ns; anchored_ratio; instructions_count.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cmath>
#include <ctime>

#include "harness/history/trend_exports.h"
#include "harness/record/json.h"

namespace tare::history {

namespace {

using record::Json;

struct ValueNames {
    std::string value, low, high, before, after;
};

ValueNames names_of(const core::Series& series) {
    const std::string unit = '_' + std::string(core::name_of(series.unit));
    const std::string& metric = series.key.metric;
    return {metric + unit, metric + "_low" + unit, metric + "_high" + unit, "before" + unit, "after" + unit};
}

std::string iso_date(double date_s) {
    return fmt::format("{:%Y-%m-%dT%H:%M:%S+00:00}", fmt::gmtime(static_cast<std::time_t>(date_s)));
}

Json bound(const std::optional<double>& value) {
    return value ? record::number(*value) : Json();
}

Json point_to_json(const core::SeriesPoint& point, const ValueNames& names) {
    return {{"record", point.record.text()},
            {"date", iso_date(point.date_s)},
            {"version", record::text_or_null(point.version)},
            {"commit", record::text_or_null(point.commit)},
            {names.value, record::number(point.value)},
            {names.low, bound(point.low)},
            {names.high, bound(point.high)},
            {"processes", point.processes}};
}

Json change_to_json(const Trend& trend, const TrendChange& change, Axis axis, const ValueNames& names) {
    const core::SeriesPoint& first = trend.series.points[change.point.first];
    return {{"at", axis == Axis::kDate     ? iso_date(first.date_s)
                   : axis == Axis::kCommit ? first.commit.text()
                                           : first.version.text()},
            {"since", iso_date(first.date_s)},
            {"first_point", change.point.first},
            {"segment_begin", change.point.begin},
            {"segment_end", change.point.end},
            {names.before, record::number(std::exp(change.point.before))},
            {names.after, record::number(std::exp(change.point.after))},
            {"change_ratio", record::number(change.change_ratio)},
            {"p_value", record::number(change.point.p_value)},
            {"correlation", record::number(change.point.correlation)},
            {"standing", name_of(change.standing)},
            {"confirmation", record::text_or_null(change.confirmation)}};
}

Json trend_to_json(const Trend& trend, const TrendReport& report) {
    const core::SeriesKey& key = trend.series.key;
    const ValueNames names = names_of(trend.series);
    const std::optional<double> total = total_ratio(trend.series);
    const auto machine = report.machines.find(key.machine);
    Json json = record::object_of(
        {{"case", key.case_name},
         {"machine", key.machine},
         {"machine_text", machine == report.machines.end() ? Json() : Json(machine->second)},
         {"environment", key.environment},
         {"reference", record::text_or_null(key.reference)},
         {"metric", key.metric},
         {"unit", core::name_of(trend.series.unit)},
         {"at_clock_ghz", trend.series.at_clock_ghz > 0 ? record::number(trend.series.at_clock_ghz) : Json()},
         {"at_own_clock", trend.series.at_own_clock},
         {"searched", trend.search == Search::kDone},
         {"not_searched", record::text_or_null(not_searched_text(trend))},
         {"total_change_ratio", total ? record::number(*total) : Json()},
         {"changes", Json::array()},
         {"points", Json::array()}});
    for (const TrendChange& change : trend.changes)
        json["changes"].push_back(change_to_json(trend, change, report.axis, names));
    for (const core::SeriesPoint& point : trend.series.points) json["points"].push_back(point_to_json(point, names));
    return json;
}

}  // namespace

std::string print_trend_json(const TrendReport& report) {
    const core::SeriesUnit unit =
        report.trends.empty() ? core::SeriesUnit::kNanoseconds : report.trends.front().series.unit;
    const Json head = record::object_of({{"kind", "trend"},
                                         {"store", report.store},
                                         {"metric", report.metric},
                                         {"unit", core::name_of(unit)},
                                         {"axis", name_of(report.axis)},
                                         {"counts", record::object_of({{"series", report.counts.all},
                                                                       {"changed", report.counts.changed},
                                                                       {"refuted_only", report.counts.refuted_only},
                                                                       {"too_few_points", report.counts.too_few_points},
                                                                       {"not_positive", report.counts.not_positive}})},
                                         {"notes", report.notes}});
    // A line a series: of 500,000 points no tree is made.
    std::string text = record::compact(head);
    text.back() = ',';
    text += "\n\"series\":[";
    const char* separator = "\n";
    for (const Trend& trend : report.trends) {
        text += separator + record::compact(trend_to_json(trend, report));
        separator = ",\n";
    }
    return text + "\n]}\n";
}

}  // namespace tare::history
