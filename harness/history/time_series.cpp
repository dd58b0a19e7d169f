// Both are asked for; of each case the longer history wins.
#include "harness/history/time_series.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <tuple>

namespace tare::history {

namespace {

constexpr const char* kAnchored = "anchored";

std::size_t most_points(const std::vector<core::Series>& series) {
    std::size_t most = 0;
    for (const core::Series& each : series) most = std::max(most, each.points.size());
    return most;
}

/// One case in one environment, whatever it was measured beside.
using Subject = std::tuple<std::string, std::string, std::string>;

Subject subject_of(const core::SeriesKey& key) {
    // What a duet adds to the environment of its side b, see record_surroundings.
    return {key.case_name, key.machine, key.environment.substr(0, key.environment.find(", reference build "))};
}

struct Longest {
    std::size_t gross = 0;
    std::size_t anchored = 0;
};

}  // namespace

void drop_single_anchors(std::vector<core::Series>& series) {
    if (most_points(series) < 2) return;
    std::erase_if(series,
                  [](const core::Series& each) { return each.key.metric == kAnchored && each.points.size() == 1; });
}

std::vector<core::Series> chosen_times(std::vector<core::Series> gross, std::vector<core::Series> anchored) {
    if (most_points(gross) > 1)  // as drop_single_anchors, which sees one of the two alone
        std::erase_if(anchored, [](const core::Series& each) { return each.points.size() == 1; });
    drop_single_anchors(anchored);
    std::map<Subject, Longest> longest;
    const auto note = [&](const std::vector<core::Series>& all, std::size_t Longest::*member) {
        for (const core::Series& each : all) {
            std::size_t& most = longest[subject_of(each.key)].*member;
            most = std::max(most, each.points.size());
        }
    };
    note(gross, &Longest::gross);
    note(anchored, &Longest::anchored);
    const auto is_anchored = [&](const core::Series& each) {
        const Longest& of = longest.at(subject_of(each.key));
        return of.anchored >= of.gross;  // each has a point: where there is no anchored one, gross has more
    };
    std::erase_if(gross, is_anchored);
    std::erase_if(anchored, std::not_fn(is_anchored));
    const bool anchored_first = most_points(anchored) >= most_points(gross);
    std::vector<core::Series> all = std::move(anchored_first ? anchored : gross);
    std::ranges::move(anchored_first ? gross : anchored, std::back_inserter(all));
    return all;
}

core::Expected<std::vector<core::Series>> time_series(StoreIndex& index, SeriesQuery query) {
    query.metric = "gross";
    core::Expected<std::vector<core::Series>> gross = index.series(query);
    if (!gross) return gross;
    query.metric = kAnchored;
    core::Expected<std::vector<core::Series>> anchored = index.series(query);
    if (!anchored) return anchored;
    return chosen_times(*std::move(gross), *std::move(anchored));
}

}  // namespace tare::history
