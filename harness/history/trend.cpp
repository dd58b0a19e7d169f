// Axes and change points.
#include "harness/history/trend.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "harness/core/median.h"
#include "harness/history/point_error.h"
#include "harness/history/record_surroundings.h"
#include "harness/history/version_order.h"
#include "harness/stats/estimators.h"

namespace tare::history {

namespace {

using Points = std::vector<core::SeriesPoint>;

/// Several records of one version or commit as one point: the median, the outermost bounds, the latest record.
core::SeriesPoint merged(const Points& points) {
    core::SeriesPoint one = points.back();
    if (points.size() == 1) return one;
    std::vector<double> values;
    bool within_processes = false;
    for (const core::SeriesPoint& point : points) {
        values.push_back(point.value);
        if (point.low) one.low = std::min(*point.low, one.low.value_or(*point.low));
        if (point.high) one.high = std::max(*point.high, one.high.value_or(*point.high));
        within_processes = within_processes || point.processes < 2;
    }
    if (within_processes) one.low = one.high = std::nullopt;  // their processes together made no interval
    one.value = core::median(std::move(values));
    one.date_s = points.front().date_s;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) one.processes += points[i].processes;
    return one;
}

bool is_earlier(const core::SeriesPoint& a, const core::SeriesPoint& b) {
    return a.date_s < b.date_s;
}

/// Names of packages that points of one version had loaded in other versions. NumPy's is the version itself.
std::set<std::string> differing_names(const std::set<std::string>& loaded) {
    std::map<std::string, std::set<std::string>> versions;
    std::map<std::string, std::size_t> counts;
    for (const std::string& text : loaded)
        for (const LoadedPackage& each : loaded_in(text)) {
            versions[each.name].insert(each.version + " " + each.commit);
            ++counts[each.name];
        }
    std::set<std::string> names;
    for (const auto& [name, all] : versions)
        if (name != "numpy" && (all.size() > 1 || counts[name] < loaded.size())) names.insert(name);
    return names;
}

/// Points of records that do not say what they are about are never merged across versions of something else: their
/// version becomes "2.4.6, shapely 2.0.1".
void tell_apart(Points& points) {
    std::map<std::string, std::set<std::string>> loaded;  // by version
    for (const core::SeriesPoint& point : points)
        if (const std::string& packages = point.packages; !packages.empty()) loaded[point.version].insert(packages);
    for (core::SeriesPoint& point : points) {
        const std::string packages = point.packages;
        const auto others = loaded.find(point.version);
        if (packages.empty() || others == loaded.end() || others->second.size() < 2) continue;
        std::string text = point.version;
        for (const std::string& name : differing_names(others->second))
            for (const LoadedPackage& each : loaded_in(packages))
                if (each.name == name)
                    text +=
                        ", " + name + " " + each.version + (each.commit.empty() ? "" : " " + each.commit.substr(0, 12));
        point.version = text;
    }
}

/// Of each version in "2.4.6, shapely 2.0.10".
std::vector<VersionOrder> orders_of(std::string_view text) {
    std::vector<VersionOrder> orders{version_order(text.substr(0, text.find(", ")))};
    for (std::size_t at = text.find(", "); at != std::string_view::npos; at = text.find(", ", at + 1)) {
        const std::string_view rest = text.substr(at + 2);
        const std::size_t space = std::min(rest.find(' '), rest.size());
        const std::string_view own = rest.substr(0, rest.find(", "));
        orders.push_back(version_order(own.substr(std::min(space + 1, own.size()))));
    }
    return orders;
}

/// `points`, in the order of dates, by version or commit, in the order of that axis.
std::vector<Points> groups_of(Points points, Axis axis) {
    std::map<std::string, Points> by_place;
    if (axis == Axis::kVersion) tell_apart(points);
    for (core::SeriesPoint& point : points) {
        const std::string& place = axis == Axis::kVersion ? point.version : point.commit;
        if (!place.empty()) by_place[place].push_back(std::move(point));
    }
    std::vector<std::pair<std::vector<VersionOrder>, Points>> ordered;
    for (auto& [place, group] : by_place)
        ordered.emplace_back(axis == Axis::kVersion ? orders_of(place) : std::vector<VersionOrder>{}, std::move(group));
    std::stable_sort(ordered.begin(), ordered.end(), [&](const auto& a, const auto& b) {
        return axis == Axis::kVersion ? a.first < b.first : is_earlier(a.second.front(), b.second.front());
    });
    std::vector<Points> groups;
    for (auto& [order, group] : ordered) groups.push_back(std::move(group));
    return groups;
}

/// A series on its axis, and what its points are uncertain by.
struct Placed {
    core::Series series;
    std::vector<double> errors;  ///< of each point, or none at all
};

Placed placed(core::Series series, Axis axis) {
    PointErrors errors(series.key);
    Placed result;
    const auto add = [&](const std::optional<double>& error) {
        if (error) result.errors.push_back(*error);
    };
    if (!std::is_sorted(series.points.begin(), series.points.end(), is_earlier))  // those of the index are
        std::stable_sort(series.points.begin(), series.points.end(), is_earlier);
    if (axis == Axis::kDate) {
        for (const core::SeriesPoint& point : series.points) add(errors.of(point));
    } else {
        const std::vector<Points> groups = groups_of(std::move(series.points), axis);
        series.points.clear();
        for (const Points& group : groups) {
            series.points.push_back(merged(group));
            add(errors.of(series.points.back(), group));
        }
    }
    if (result.errors.size() != series.points.size()) result.errors.clear();
    result.series = std::move(series);
    return result;
}

stats::ScanSeries scanned(Placed& placed) {
    stats::ScanSeries scan;
    const std::string& metric = placed.series.key.metric;
    scan.independent = metric == "anchored" || has_ranges(placed.series.key);
    for (const core::SeriesPoint& point : placed.series.points) scan.values.push_back(std::log(point.value));
    scan.standard_errors = std::move(placed.errors);
    return scan;
}

bool is_positive(const core::Series& series) {
    return std::all_of(series.points.begin(), series.points.end(), [](const auto& point) { return point.value > 0; });
}

}  // namespace

bool is_changed(const Trend& trend) {
    return std::any_of(trend.changes.begin(), trend.changes.end(),
                       [](const TrendChange& change) { return change.standing != Standing::kRefuted; });
}

core::Series on_axis(core::Series series, Axis axis) {
    return placed(std::move(series), axis).series;
}

std::vector<Trend> find_trends(std::vector<core::Series> series, Axis axis, const stats::ScanRules& rules) {
    std::vector<Trend> trends;
    std::vector<stats::ScanSeries> scans;
    for (core::Series& one : series) {
        Placed on = placed(std::move(one), axis);
        Trend trend;
        if (is_positive(on.series)) {
            scans.push_back(scanned(on));
            trend.points_needed = stats::fewest_points(scans.back(), rules);
            if (on.series.points.size() < trend.points_needed) trend.search = Search::kTooFewPoints;
        } else {  // a tare may be negative, a count zero: no logarithm, no scan
            scans.emplace_back();
            trend.search = Search::kNotPositive;
        }
        trend.series = std::move(on.series);
        trends.push_back(std::move(trend));
    }
    const std::vector<std::vector<stats::ChangePoint>> found = stats::find_change_points(scans, rules);
    for (std::size_t i = 0; i < trends.size(); ++i)
        for (const stats::ChangePoint& point : found[i])
            trends[i].changes.push_back({point, std::exp(point.after - point.before), Standing::kProposed, {}});
    return trends;
}

}  // namespace tare::history
