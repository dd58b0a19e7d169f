// Values, places, changes and surroundings in words.
#include "harness/history/trend_report.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <iterator>
#include <tuple>

#include "harness/record/comparison.h"

namespace tare::history {

namespace {

std::string p_text(double p) {
    if (p >= 0.001) return fmt::format("p = {:.3f}", p);
    return p > 0 ? fmt::format("p = {:.0e}", p) : "p = 0";
}

/// "times at 3.05 GHz, as the oldest record that names a clock has them"; empty: no record does.
std::string clock_note(const std::vector<Trend>& trends) {
    std::vector<double> clocks_ghz;
    std::size_t at_own = 0;
    for (const Trend& trend : trends) {
        if (!(trend.series.at_clock_ghz > 0)) continue;
        clocks_ghz.push_back(trend.series.at_clock_ghz);
        at_own += trend.series.at_own_clock;
    }
    if (clocks_ghz.empty()) return {};
    const auto [lowest, highest] = std::ranges::minmax(clocks_ghz);
    const std::string low = fmt::format("{:.2f}", lowest), high = fmt::format("{:.2f}", highest);
    return fmt::format("times at {} GHz, as the oldest record that names a clock has them{}{}",
                       low == high ? low : fmt::format("{} to {}", low, high),
                       low == high ? "" : ", of each machine and environment",
                       at_own == 0 ? "" : fmt::format("; {} as they were: without a clock, or one too far", at_own));
}

auto surroundings_of(const core::SeriesKey& key) {
    return std::tie(key.machine, key.environment, key.reference);
}

}  // namespace

TrendCounts counts_of(const std::vector<Trend>& trends) {
    TrendCounts counts;
    counts.all = trends.size();
    for (const Trend& trend : trends) {
        if (is_changed(trend))
            ++counts.changed;
        else if (!trend.changes.empty())
            ++counts.refuted_only;
        if (trend.search == Search::kTooFewPoints) ++counts.too_few_points;
        if (trend.search == Search::kNotPositive) ++counts.not_positive;
    }
    return counts;
}

std::string_view name_of(Axis axis) {
    return axis == Axis::kDate ? "date" : axis == Axis::kVersion ? "version" : "commit";
}

std::string_view name_of(Standing standing) {
    switch (standing) {
        case Standing::kConfirmed:
            return "confirmed";
        case Standing::kSmaller:
            return "smaller";
        case Standing::kRefuted:
            return "refuted";
        case Standing::kNotTried:
            return "not tried";
        case Standing::kProposed:
            break;
    }
    return "proposed";
}

std::string value_text(double value, core::SeriesUnit unit, const record::TextStyle& style) {
    switch (unit) {
        case core::SeriesUnit::kRatio:
            return record::three_digits(value);
        case core::SeriesUnit::kCount:
            if (std::abs(value) < 99.95) return record::three_digits(value);
            return record::signed_count_text(std::llround(value)).substr(value > 0 ? 1 : 0);
        case core::SeriesUnit::kNanoseconds:
            break;
    }
    return record::duration_text(value, style);
}

std::string date_text(double date_s, bool minutes) {
    const auto time = static_cast<std::time_t>(date_s);
    return minutes ? fmt::format("{:%Y-%m-%d %H:%M}", fmt::gmtime(time))
                   : fmt::format("{:%Y-%m-%d}", fmt::gmtime(time));
}

std::string place_text(const core::SeriesPoint& point, Axis axis) {
    if (axis == Axis::kVersion) return point.version;
    if (axis == Axis::kCommit) return point.commit.text().substr(0, kCommitDigits);
    return date_text(point.date_s, true);
}

std::string change_line(const Trend& trend, const TrendChange& change, Axis axis) {
    const core::SeriesPoint& first = trend.series.points[change.point.first];
    std::string also;  // a release may have been measured years after it came out: no date beside it
    if (axis == Axis::kDate) also = first.version.text();
    if (axis == Axis::kCommit) {
        also = date_text(first.date_s, false);
        // Those between the two were not measured, or beside a neighbour.
        if (change.point.first > 0) also += ", after " + place_text(trend.series.points[change.point.first - 1], axis);
    }
    std::string line =
        fmt::format("{} {} {}{}, {}", record::change_text(change.change_ratio), axis == Axis::kDate ? "on" : "at",
                    place_text(first, axis), also.empty() ? "" : fmt::format(" ({})", also), name_of(change.standing));
    if (!change.confirmation.empty()) line += ": " + change.confirmation;
    return line + ", " + p_text(change.point.p_value);
}

std::string changed_text(const TrendReport& report) {
    std::vector<std::string> metrics;  // more than one where some cases have histories beside a reference and some not
    for (const Trend& trend : report.trends)
        if (std::ranges::find(metrics, trend.series.key.metric) == metrics.end())
            metrics.push_back(trend.series.key.metric);
    if (metrics.empty()) metrics = {report.metric};
    return fmt::format("{} of {} series changed; {} by {}", report.counts.changed, report.counts.all,
                       fmt::join(metrics, " and "), name_of(report.axis));
}

std::vector<std::string> notes_of(const TrendReport& report) {
    const TrendCounts& counts = report.counts;
    std::vector<std::string> notes;
    if (counts.refuted_only > 0)
        notes.push_back(fmt::format("{} series not counted: a duet refuted all of {} change points",
                                    counts.refuted_only, counts.refuted_only == 1 ? "its" : "their"));
    if (counts.too_few_points > 0) {
        stats::ScanSeries with_errors;
        with_errors.standard_errors = {0};
        notes.push_back(fmt::format(
            "{} series not searched for changes: too few points ({} are needed, {} where each is of several processes)",
            counts.too_few_points, stats::fewest_points({}), stats::fewest_points(with_errors)));
    }
    if (counts.not_positive > 0)
        notes.push_back(
            fmt::format("{} series not searched for changes: values that are not above zero", counts.not_positive));
    if (std::string clock = clock_note(report.trends); !clock.empty()) notes.push_back(std::move(clock));
    std::ranges::copy(report.notes, std::back_inserter(notes));
    return notes;
}

std::string not_searched_text(const Trend& trend) {
    switch (trend.search) {
        case Search::kTooFewPoints:
            return fmt::format("{} point{}, {} are needed", trend.series.points.size(),
                               trend.series.points.size() == 1 ? "" : "s", trend.points_needed);
        case Search::kNotPositive:
            return "values that are not above zero";
        case Search::kDone:
            break;
    }
    return {};
}

std::string commit_order_note() {
    return "commits stand in the order of their first measurement, not in that of the repository: one measured later "
           "stands last, and a change may be named at the wrong commit";
}

std::optional<double> total_ratio(const core::Series& series) {
    if (series.points.size() < 2) return std::nullopt;
    const double first = series.points.front().value, latest = series.points.back().value;
    if (!(first > 0) || !(latest > 0)) return std::nullopt;
    return latest / first;
}

std::string surroundings_text(const TrendReport& report, const core::SeriesKey& key) {
    std::string text = key.machine;
    if (const auto machine = report.machines.find(key.machine); machine != report.machines.end())
        text += ", " + machine->second;
    if (!key.environment.empty()) text += ": " + key.environment;
    if (!key.reference.empty()) text += "; times that of " + key.reference;
    return text;
}

std::vector<std::vector<const Trend*>> grouped(const TrendReport& report) {
    std::vector<std::vector<const Trend*>> groups;
    for (const Trend& trend : report.trends) {
        const auto found = std::find_if(groups.begin(), groups.end(), [&](const std::vector<const Trend*>& group) {
            return surroundings_of(group.front()->series.key) == surroundings_of(trend.series.key);
        });
        if (found != groups.end())
            found->push_back(&trend);
        else
            groups.push_back({&trend});
    }
    return groups;
}

}  // namespace tare::history
