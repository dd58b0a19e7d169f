// Axes and change points.
#include "harness/history/trend.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <compare>
#include <map>

#include "harness/core/median.h"

namespace tare::history {

namespace {

/// What orders a release: its numbers, then development versions, alphas, betas and candidates before the release.
struct VersionOrder {
    std::vector<long> numbers;
    int stage = 0;  ///< -4 dev, -3 a, -2 b, -1 rc, 0 release, 1 post
    long stage_number = 0;
    std::string text;  ///< ties fall the same way each time
    auto operator<=>(const VersionOrder&) const = default;
};

VersionOrder order_of(const std::string& version) {
    static constexpr std::pair<const char*, int> kStages[] = {{"dev", -4}, {"rc", -1},  {"a", -3},
                                                              {"b", -2},   {"post", 1}, {"+", 1}};
    VersionOrder order;
    const char* at = version.data();
    const char* const end = at + version.size();
    const auto number = [&] {
        long value = 0;
        at = std::from_chars(at, end, value).ptr;
        return value;
    };
    const auto digit = [&] { return at != end && *at >= '0' && *at <= '9'; };
    while (digit()) {
        order.numbers.push_back(number());
        if (at == end || *at != '.') break;
        ++at;
    }
    const std::string rest(at, end);
    for (const auto& [mark, stage] : kStages) {
        const std::size_t found = rest.find(mark);
        if (found == std::string::npos) continue;
        order.stage = stage;
        at += found + std::string_view(mark).size();
        if (digit()) order.stage_number = number();
        break;
    }
    while (!order.numbers.empty() && order.numbers.back() == 0) order.numbers.pop_back();  // 2.0 is 2.0.0
    order.text = version;
    return order;
}

/// Several records of one version or commit as one point: the median, the outermost bounds, the latest record.
core::SeriesPoint merged(const std::vector<core::SeriesPoint>& points) {
    core::SeriesPoint one = points.back();
    if (points.size() == 1) return one;
    std::vector<double> values;
    for (const core::SeriesPoint& point : points) {
        values.push_back(point.value);
        if (point.low) one.low = std::min(*point.low, one.low.value_or(*point.low));
        if (point.high) one.high = std::max(*point.high, one.high.value_or(*point.high));
    }
    one.value = core::median(std::move(values));
    one.date_s = points.front().date_s;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) one.processes += points[i].processes;
    return one;
}

/// The standard error of a logarithm whose 95 % interval is [low, high]; nothing without one.
std::optional<double> standard_error(const core::SeriesPoint& point) {
    constexpr double kNormal95 = 1.959964;
    if (point.processes < 2) return std::nullopt;  // an interval within one process says nothing about the next one
    if (!point.low || !point.high || *point.low <= 0 || *point.high < *point.low) return std::nullopt;
    return (std::log(*point.high) - std::log(*point.low)) / (2 * kNormal95);
}

stats::ScanSeries scanned(const core::Series& series) {
    stats::ScanSeries scan;
    scan.independent = series.key.metric == "anchored" || series.key.metric == "instructions";
    for (const core::SeriesPoint& point : series.points) {
        scan.values.push_back(std::log(point.value));
        if (const auto error = standard_error(point)) scan.standard_errors.push_back(*error);
    }
    if (scan.standard_errors.size() != scan.values.size()) scan.standard_errors.clear();
    return scan;
}

}  // namespace

core::Series on_axis(core::Series series, Axis axis) {
    const auto earlier = [](const auto& a, const auto& b) { return a.date_s < b.date_s; };
    if (!std::is_sorted(series.points.begin(), series.points.end(), earlier))  // those of the index are
        std::stable_sort(series.points.begin(), series.points.end(), earlier);
    if (axis == Axis::kDate) return series;
    std::map<std::string, std::vector<core::SeriesPoint>> groups;
    for (core::SeriesPoint& point : series.points) {
        const std::string& place = axis == Axis::kVersion ? point.version : point.commit;
        if (!place.empty()) groups[place].push_back(std::move(point));
    }
    series.points.clear();
    for (const auto& [place, points] : groups) series.points.push_back(merged(points));
    if (axis == Axis::kVersion)
        std::sort(series.points.begin(), series.points.end(),
                  [](const auto& a, const auto& b) { return order_of(a.version) < order_of(b.version); });
    else
        std::stable_sort(series.points.begin(), series.points.end(), earlier);
    return series;
}

std::vector<Trend> find_trends(std::vector<core::Series> series, Axis axis, const stats::ScanRules& rules) {
    std::vector<Trend> trends;
    std::vector<stats::ScanSeries> scans;
    for (core::Series& one : series) {
        Trend trend{on_axis(std::move(one), axis), {}};
        // A tare may be negative, a count zero: no logarithm, no scan.
        const auto& points = trend.series.points;
        const bool positive = std::all_of(points.begin(), points.end(), [](const auto& p) { return p.value > 0; });
        scans.push_back(positive ? scanned(trend.series) : stats::ScanSeries{});
        trends.push_back(std::move(trend));
    }
    const std::vector<std::vector<stats::ChangePoint>> found = stats::find_change_points(scans, rules);
    for (std::size_t i = 0; i < trends.size(); ++i)
        for (const stats::ChangePoint& point : found[i])
            trends[i].changes.push_back({point, std::exp(point.after - point.before), Standing::kProposed, {}});
    return trends;
}

}  // namespace tare::history
