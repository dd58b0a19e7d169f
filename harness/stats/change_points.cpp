// Binary segmentation of each series, Benjamini and Hochberg over the scans of all, then the kept cuts of each series
// put where they belong and the small ones taken back.
#include "harness/stats/change_points.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "harness/stats/level_scan.h"
#include "harness/stats/multiple.h"
#include "harness/stats/scan_null.h"

namespace tare::stats {

namespace {

/// What one scan of one segment found.
struct Candidate {
    std::vector<std::size_t> cuts;  ///< first points of new levels: one of a step, two of a bump
    double p_value = 1;
    double correlation = 0;
};

struct Cut {
    std::size_t at = 0;
    double p_value = 1;
    double correlation = 0;
};

using Values = std::span<const double>;

double mean(Values values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double root_mean_square(Values values) {
    if (values.empty()) return 0;
    const double squares = std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
    return std::sqrt(squares / static_cast<double>(values.size()));
}

/// Of the segment that begins at `begin`: the step or the bump, whichever noise makes less often.
Candidate strongest(Values values, std::size_t begin, double least_spread, bool independent) {
    const auto p_of = [&](LevelShape shape, const LevelScan& scan) {
        return medians_agree(values, scan) ? scan_p_value(shape, values.size(), scan) : 1;
    };
    const LevelScan step = scan_level(LevelShape::kStep, values, least_spread, independent);
    const double step_p = p_of(LevelShape::kStep, step);
    if (values.size() < fewest_points_for(LevelShape::kBump)) return {{begin + step.begin}, step_p, step.correlation};
    const LevelScan bump = scan_level(LevelShape::kBump, values, least_spread, independent);
    const double bump_p = p_of(LevelShape::kBump, bump);
    if (bump_p < step_p) return {{begin + bump.begin, begin + bump.end}, std::min(1.0, 2 * bump_p), bump.correlation};
    return {{begin + step.begin}, std::min(1.0, 2 * step_p), step.correlation};
}

/// Scans [begin, end) and, where it splits, its pieces; every scan is appended.
void search(const ScanSeries& series, std::size_t begin, std::size_t end, const ScanRules& rules,
            std::vector<Candidate>& candidates) {
    const std::size_t points = end - begin;
    const bool has_errors = !series.standard_errors.empty();
    if (points < fewest_points(series, rules)) return;
    const double least_spread =
        has_errors ? root_mean_square(Values(series.standard_errors).subspan(begin, points)) : 0;
    const Candidate found =
        strongest(Values(series.values).subspan(begin, points), begin, least_spread, series.independent);
    candidates.push_back(found);
    if (found.p_value > rules.level) return;
    std::size_t from = begin;
    for (const std::size_t cut : found.cuts) {
        search(series, from, cut, rules, candidates);
        from = cut;
    }
    search(series, from, end, rules, candidates);
}

/// The levels on both sides of cuts[k], which reach to the neighbouring cuts.
ChangePoint described(Values values, std::span<const Cut> cuts, std::size_t k) {
    ChangePoint point;
    point.first = cuts[k].at;
    point.begin = k == 0 ? 0 : cuts[k - 1].at;
    point.end = k + 1 == cuts.size() ? values.size() : cuts[k + 1].at;
    point.before = mean(values.subspan(point.begin, point.first - point.begin));
    point.after = mean(values.subspan(point.first, point.end - point.first));
    point.p_value = cuts[k].p_value;
    point.correlation = cuts[k].correlation;
    return point;
}

/// A cut was placed while its segment still held others: each once more, between its neighbours.
void place_between_neighbours(Values values, std::vector<Cut>& cuts) {
    for (std::size_t k = 0; k < cuts.size(); ++k) {
        const ChangePoint now = described(values, cuts, k);
        const Values around = values.subspan(now.begin, now.end - now.begin);
        if (around.size() >= fewest_points_for(LevelShape::kStep))
            cuts[k].at = now.begin + scan_level(LevelShape::kStep, around).begin;
    }
}

std::vector<ChangePoint> change_points_at(Values values, std::vector<Cut> cuts, double least_change) {
    std::sort(cuts.begin(), cuts.end(), [](const Cut& a, const Cut& b) { return a.at < b.at; });
    place_between_neighbours(values, cuts);
    for (;;) {
        std::vector<ChangePoint> points;
        for (std::size_t k = 0; k < cuts.size(); ++k) points.push_back(described(values, cuts, k));
        const auto change = [](const ChangePoint& p) { return std::abs(p.after - p.before); };
        const auto smallest = std::min_element(points.begin(), points.end(),
                                               [&](const auto& a, const auto& b) { return change(a) < change(b); });
        if (smallest == points.end() || change(*smallest) >= std::log1p(least_change)) return points;
        cuts.erase(cuts.begin() + (smallest - points.begin()));  // its neighbours' levels change: look again
    }
}

}  // namespace

std::size_t fewest_points(const ScanSeries& series, const ScanRules& rules) {
    return std::max(series.standard_errors.empty() ? rules.fewest_points : 0, fewest_points_for(LevelShape::kStep));
}

std::vector<std::vector<ChangePoint>> find_change_points(std::span<const ScanSeries> series, const ScanRules& rules) {
    assert(rules.fewest_a_side == kFewestPointsOfALevel);
    std::vector<Candidate> candidates;
    std::vector<std::size_t> ends;  // of each series, among the candidates
    for (const ScanSeries& one : series) {
        assert(one.standard_errors.empty() || one.standard_errors.size() == one.values.size());
        search(one, 0, one.values.size(), rules, candidates);
        ends.push_back(candidates.size());
    }
    std::vector<double> p_values;
    for (const Candidate& candidate : candidates) p_values.push_back(candidate.p_value);
    const std::vector<bool> kept = benjamini_hochberg(p_values, rules.false_discovery);

    std::vector<std::vector<ChangePoint>> result;
    std::size_t next = 0;
    for (std::size_t i = 0; i < series.size(); ++i) {
        std::vector<Cut> cuts;
        for (; next < ends[i]; ++next)
            if (kept[next] && candidates[next].p_value <= rules.level)
                for (const std::size_t at : candidates[next].cuts)
                    cuts.push_back({at, candidates[next].p_value, candidates[next].correlation});
        result.push_back(change_points_at(series[i].values, std::move(cuts), rules.least_change));
    }
    return result;
}

}  // namespace tare::stats
