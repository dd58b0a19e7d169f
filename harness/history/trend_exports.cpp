// CSV and Markdown.
#include "harness/history/trend_exports.h"

#include <fmt/format.h>

#include <iterator>

#include "harness/history/sparkline.h"
#include "harness/record/comparison.h"
#include "harness/record/markup.h"

namespace tare::history {

namespace {

constexpr std::size_t kSparkColumns = 24;

std::string number(const std::optional<double>& value) {
    return value ? fmt::format("{:.7g}", *value) : "";
}

std::string change_fields(const Trend& trend, std::size_t point) {
    for (const TrendChange& change : trend.changes)
        if (change.point.first == point)
            return fmt::format("{:.7g},{:.3g},{},{}", change.change_ratio, change.point.p_value,
                               name_of(change.standing), record::csv_text(change.confirmation));
    return ",,,";
}

std::string markdown_row(const Trend& trend, const TrendReport& report) {
    const record::TextStyle style;
    std::vector<double> values;
    for (const core::SeriesPoint& point : trend.series.points) values.push_back(point.value);
    std::string changes;
    for (const TrendChange& change : trend.changes)
        changes += (changes.empty() ? "" : "; ") + change_line(trend, change, report.axis);
    const std::optional<double> total = total_ratio(trend.series);
    const auto text = [&](const core::SeriesPoint& point) { return value_text(point.value, trend.series.unit, style); };
    return fmt::format("| `{}` | {} | {} | {} | {} | {} | {} |\n", record::markdown_cell(trend.series.key.case_name),
                       values.size() > 1 ? sparkline(values, kSparkColumns) : "", text(trend.series.points.front()),
                       text(trend.series.points.back()), total ? record::change_text(*total) : "",
                       trend.series.points.size(), record::markdown_cell(changes));
}

}  // namespace

std::string print_trend_csv(const TrendReport& report) {
    std::string text =
        "case,machine,environment,reference,metric,unit,date,version,commit,record,value,low,high,processes,"
        "change_ratio,p_value,standing,confirmation\n";
    for (const Trend& trend : report.trends) {
        const core::SeriesKey& key = trend.series.key;
        const std::string series =
            fmt::format("{},{},{},{},{},{}", record::csv_text(key.case_name), record::csv_text(key.machine),
                        record::csv_text(key.environment), record::csv_text(key.reference),
                        record::csv_text(key.metric), core::name_of(trend.series.unit));
        for (std::size_t i = 0; i < trend.series.points.size(); ++i) {
            const core::SeriesPoint& point = trend.series.points[i];
            fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{:.7g},{},{},{},{}\n", series,
                           date_text(point.date_s, true), record::csv_text(point.version),
                           record::csv_text(point.commit), record::csv_text(point.record), point.value,
                           number(point.low), number(point.high), point.processes, change_fields(trend, i));
        }
    }
    return text;
}

std::string print_trend_markdown(const TrendReport& report) {
    std::string text;
    for (const std::vector<const Trend*>& group : grouped(report)) {
        text += fmt::format("{}\n\n", record::markdown_cell(surroundings_text(report, group.front()->series.key)));
        text += "| case | trend | first | latest | total | points | changed |\n|---|---|--:|--:|--:|--:|---|\n";
        for (const Trend* trend : group) text += markdown_row(*trend, report);
        text += '\n';
    }
    text += record::markdown_cell(changed_text(report)) + '\n';
    for (const std::string& note : notes_of(report)) text += fmt::format("\n{}\n", record::markdown_cell(note));
    return text;
}

}  // namespace tare::history
