// The sparkline takes what width the other columns leave.
#include "harness/history/trend_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "harness/history/sparkline.h"
#include "harness/record/comparison.h"
#include "harness/record/shared_lines.h"
#include "harness/record/text_grid.h"
#include "harness/record/wrapped_text.h"

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

/// A change point in lines of their own, none wider than the terminal: its last word may be "confirmed".
void add_beneath(const std::string& change, std::size_t width, std::vector<record::GridRow>& rows) {
    constexpr std::size_t kIndent = 4;
    const std::string lines = record::wrapped(change, width > 4 * kIndent ? width - kIndent - 2 : 0);
    std::size_t indent = kIndent;
    for (std::size_t begin = 0; begin < lines.size(); indent = kIndent + 2) {
        const std::size_t end = std::min(lines.find('\n', begin), lines.size());
        rows.push_back({{std::string(indent, ' ') + lines.substr(begin, end - begin)}, nullptr});
        begin = end + 1;
    }
}

void add_rows(const Trend& trend, const TrendReport& report, const Layout& layout, std::size_t width,
              const record::TextStyle& style, std::vector<record::GridRow>& rows) {
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
            add_beneath(lines[i], width, rows);
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
        for (const Trend* trend : group) add_rows(*trend, report, layout, width, style, rows);
        if (width == 0 || widest_line(print_grid(columns, rows, 0, {})) <= width) break;
    }
    return print_grid(columns, rows, width, style);
}

}  // namespace

std::string print_trend_table(const TrendReport& report, std::size_t width, const record::TextStyle& style) {
    std::string text;
    for (const std::vector<const Trend*>& group : grouped(report)) {
        const std::string heading =
            record::wrapped(record::one_line(surroundings_text(report, group.front()->series.key)), width);
        text += (style.color ? "\033[36m" + heading + "\033[0m" : heading) + '\n';
        text += print_group(group, report, width, style) + '\n';
    }
    std::vector<std::string> notes = {changed_text(report) +
                                      ", oldest to newest; trends on a logarithmic scale of at least 10 %"};
    std::ranges::move(notes_of(report), std::back_inserter(notes));
    for (const std::string& note : notes) text += record::wrapped(record::one_line(note), width) + '\n';
    return text;
}

}  // namespace tare::history
