// The sparkline takes what width the other columns leave.
#include "harness/history/trend_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "harness/history/sparkline.h"
#include "harness/record/comparison.h"
#include "harness/record/shared_lines.h"
#include "harness/record/text_grid.h"

namespace tare::history {

namespace {

const char* escape_of(const Trend& trend) {
    const auto last = std::find_if(trend.changes.rbegin(), trend.changes.rend(),
                                   [](const TrendChange& change) { return change.standing != Standing::kRefuted; });
    if (last == trend.changes.rend()) return nullptr;
    return last->change_ratio > 1 ? "\033[31m" : "\033[32m";
}

/// Where the change points stand: beside their series, or, where that is too wide, beneath.
enum class Changes { kBeside, kBeneath };

struct Layout {
    Changes changes;
    std::size_t spark_columns;
};

/// The widest that fits is taken.
constexpr std::array kLayouts = {Layout{Changes::kBeside, 32},  Layout{Changes::kBeside, 24},
                                 Layout{Changes::kBeside, 16},  Layout{Changes::kBeneath, 32},
                                 Layout{Changes::kBeneath, 24}, Layout{Changes::kBeneath, 16},
                                 Layout{Changes::kBeneath, 10}};

void add_rows(const Trend& trend, const TrendReport& report, const Layout& layout, const record::TextStyle& style,
              std::vector<record::GridRow>& rows) {
    const std::vector<core::SeriesPoint>& points = trend.series.points;
    std::vector<double> values;
    for (const core::SeriesPoint& point : points) values.push_back(point.value);
    const auto text = [&](const core::SeriesPoint& point) { return value_text(point.value, trend.series.unit, style); };
    const std::optional<double> total = total_ratio(trend.series);
    std::vector<std::string> lines;
    for (const TrendChange& change : trend.changes) lines.push_back(change_line(trend, change, report.axis));
    const bool beside = layout.changes == Changes::kBeside;
    rows.push_back({{trend.series.key.case_name, points.size() > 1 ? sparkline(values, layout.spark_columns) : "",
                     text(points.front()), text(points.back()), total ? record::change_text(*total) : "",
                     fmt::format("{}", points.size()), beside && !lines.empty() ? lines.front() : ""},
                    escape_of(trend)});
    for (std::size_t i = beside ? 1 : 0; i < lines.size(); ++i) {
        if (beside)
            rows.push_back({{"", "", "", "", "", "", lines[i]}, escape_of(trend)});
        else
            rows.push_back({{"    " + lines[i]}, nullptr});
    }
}

std::size_t widest_line(const std::string& text) {
    std::size_t widest = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        widest = std::max(widest, record::text_columns(std::string_view(text).substr(begin, end - begin)));
        begin = end + 1;
    }
    return widest;
}

std::string print_group(const std::vector<const Trend*>& group, const TrendReport& report, std::size_t width,
                        const record::TextStyle& style) {
    const std::vector<record::Column> columns = {
        {"case", 0, true},   {"trend", 5, true},   {"first", 3, false},  {"latest", 4, false},
        {"total", 2, false}, {"points", 1, false}, {"changed", 6, true},
    };
    std::vector<record::GridRow> rows;
    for (const Layout& layout : kLayouts) {
        rows.clear();
        for (const Trend* trend : group) add_rows(*trend, report, layout, style, rows);
        if (width == 0 || widest_line(print_grid(columns, rows, 0, {})) <= width) break;
    }
    return print_grid(columns, rows, width, style);
}

std::string summary_of(const TrendReport& report) {
    const auto changed =
        std::count_if(report.trends.begin(), report.trends.end(), [](const Trend& t) { return !t.changes.empty(); });
    return fmt::format(
        "{} of {} series changed; {} by {}, oldest to newest; trends on a logarithmic scale of at least 10 %\n",
        changed, report.trends.size(), report.metric, name_of(report.axis));
}

}  // namespace

std::string print_trend_table(const TrendReport& report, std::size_t width, const record::TextStyle& style) {
    std::string text;
    for (const std::vector<const Trend*>& group : grouped(report)) {
        const std::string heading = record::one_line(surroundings_text(report, group.front()->series.key));
        text += (style.color ? "\033[36m" + heading + "\033[0m" : heading) + '\n';
        text += print_group(group, report, width, style) + '\n';
    }
    text += summary_of(report);
    for (const std::string& note : report.notes) text += record::one_line(note) + '\n';
    return text;
}

}  // namespace tare::history
