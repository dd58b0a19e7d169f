// First how far each case follows the clock, then its values at one clock, then their contrast.
#include "harness/record/stored_contrasts.h"

#include <cmath>
#include <numbers>
#include <string_view>

#include "harness/core/references.h"
#include "harness/stats/clock_slope.h"
#include "harness/stats/estimators.h"
#include "harness/stats/moments.h"
#include "harness/stats/shift.h"
#include "harness/stats/variance_prior.h"

namespace tare::record {

namespace {

std::optional<stats::SessionVariance> session_of(const SessionVariances& sessions, const std::string& name) {
    const auto found = sessions.find(name);
    return found == sessions.end() ? std::nullopt : std::optional(found->second);
}

bool has_clocks(const Match& match) {
    return match.before != nullptr && match.after != nullptr && !match.before->log_clocks.empty() &&
           !match.after->log_clocks.empty();
}

std::vector<stats::ClockedTime> clocked_times(const StoredValues& values) {
    std::vector<stats::ClockedTime> times;
    for (std::size_t i = 0; i < values.logs.size(); ++i) times.push_back({values.log_clocks[i], values.logs[i]});
    return times;
}

/// Where the clock changed by more than so many times what it differed by within the records (SD), a few cases of
/// another kind would be called changed because the suite follows the clock: 30 of 100 unchanged suites, at 9 %.
constexpr double kFarthestChange = 3;

double clock_change(const Match& match) {
    return stats::median(match.after->log_clocks) - stats::median(match.before->log_clocks);
}

bool is_far(const Match& match) {
    const double within = std::hypot(stats::standard_deviation(match.before->log_clocks).value_or(0),
                                     stats::standard_deviation(match.after->log_clocks).value_or(0)) /
                          std::numbers::sqrt2;
    return std::abs(clock_change(match)) > kFarthestChange * within;
}

/// The part of its time that a case computes is what can follow a clock: slopes are learnt in units of that.
constexpr double kLeastComputed = 0.05;

double computed_ratio(const Match& match) {
    return (match.before->computed_ratio + match.after->computed_ratio) / 2;
}

/// Those of a suite are learnt from what neither failed nor was `busy`.
std::vector<stats::ClockSlope> slopes_of(std::span<const Match> matches) {
    std::vector<std::optional<stats::ClockSlope>> own;
    for (const Match& match : matches) {
        own.emplace_back();
        if (!has_clocks(match) || computed_ratio(match) < kLeastComputed) continue;
        if (match.before->busy || match.after->busy || match.before->error || match.after->error) continue;
        const std::vector<stats::ClockedTime> runs[] = {clocked_times(*match.before), clocked_times(*match.after)};
        own.back() = stats::own_clock_slope(runs);
        if (own.back()) own.back()->value /= computed_ratio(match);
        if (own.back()) own.back()->standard_error /= computed_ratio(match);
    }
    std::vector<stats::ClockSlope> slopes = stats::clock_slopes(own);
    for (std::size_t i = 0; i < matches.size(); ++i) {
        if (!has_clocks(matches[i])) continue;
        if (is_far(matches[i])) slopes[i] = stats::clock_slopes(std::span(&own[i], 1)).front();  // by itself
        slopes[i].value *= computed_ratio(matches[i]);
        slopes[i].standard_error *= computed_ratio(matches[i]);
    }
    return slopes;
}

/// The values of each case of one record, with the variance of each drawn towards what is usual in it.
std::vector<std::optional<stats::Moments>> moderated(const std::vector<std::vector<double>>& logs,
                                                     const std::vector<const StoredValues*>& cases) {
    std::vector<std::optional<stats::Moments>> all;
    std::vector<stats::Moments> usual;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        all.emplace_back();
        if (logs[i].empty()) continue;
        all.back() = stats::moments_of(logs[i]);
        if (!cases[i]->error && !cases[i]->busy) usual.push_back(*all.back());
    }
    const std::optional<stats::VariancePrior> prior = stats::variance_prior(usual);
    for (std::size_t i = 0; prior && i < cases.size(); ++i)
        if (all[i] && !cases[i]->busy) all[i] = stats::moderated(*all[i], *prior);
    return all;
}

/// Of all matches, at one clock.
struct Side {
    std::vector<const StoredValues*> cases;
    std::vector<std::vector<double>> logs;

    void add(const StoredValues* values, std::vector<double> at_one_clock) {
        cases.push_back(values);
        logs.push_back(std::move(at_one_clock));
    }
};

}  // namespace

std::vector<Match> matches_of(const std::vector<StoredValues>& before, const std::vector<StoredValues>& after) {
    std::map<std::string_view, std::size_t> places;
    std::vector<Match> matches;
    for (const StoredValues& values : before) {
        places.emplace(values.name, matches.size());
        matches.push_back({&values, nullptr});
    }
    for (const StoredValues& values : after) {
        const auto [place, fresh] = places.try_emplace(values.name, matches.size());
        if (fresh) matches.emplace_back();
        matches[place->second].after = &values;
    }
    return matches;
}

std::vector<StoredContrast> contrasts_of_processes(std::span<const Match> matches, const SessionVariances& sessions) {
    const std::vector<stats::ClockSlope> slopes = slopes_of(matches);
    std::vector<StoredContrast> contrasts(matches.size());
    Side before, after;
    for (std::size_t i = 0; i < matches.size(); ++i) {
        const auto& [olds, news] = matches[i];
        StoredContrast& found = contrasts[i];
        double slope = 0, log_clock = 0;
        if (has_clocks(matches[i])) {
            found.clock_log_ratio = clock_change(matches[i]);
            const double wholly = -computed_ratio(matches[i]);
            const double old_clock = stats::median(olds->log_clocks);
            found.clocks_are_far = !core::are_near_clocks(std::exp(found.clock_log_ratio), 1);
            if (!found.clocks_are_far) {
                slope = slopes[i].value;
                log_clock = olds->at_log_clock.value_or(old_clock);
                found.clock_standard_error = slopes[i].standard_error * std::abs(found.clock_log_ratio);
            }
            found.wholly_log_shift = (slope - wholly) * found.clock_log_ratio;
        }
        before.add(olds, olds == nullptr ? std::vector<double>() : logs_at(*olds, slope, log_clock));
        after.add(news, news == nullptr ? std::vector<double>() : logs_at(*news, slope, log_clock));
        if (slope == 0) continue;
        found.old_ns = std::exp(stats::median(before.logs.back()));
        found.new_ns = std::exp(stats::median(after.logs.back()));
    }
    const auto old_moments = moderated(before.logs, before.cases), new_moments = moderated(after.logs, after.cases);
    for (std::size_t i = 0; i < matches.size(); ++i) {
        if (!old_moments[i] || !new_moments[i]) continue;
        const auto session = session_of(sessions, matches[i].name());
        const auto by_ranks = stats::shift_contrast(before.logs[i], after.logs[i]);
        contrasts[i].contrast = by_ranks ? std::optional(stats::between_sessions(*by_ranks, session))
                                         : stats::welch_contrast(*old_moments[i], *new_moments[i], session);
        if (stats::Contrast* const found = contrasts[i].contrast ? &*contrasts[i].contrast : nullptr; found && !session)
            found->standard_error =
                std::hypot(found->standard_error, matches[i].before->shared_error, matches[i].after->shared_error);
    }
    return contrasts;
}

std::vector<StoredContrast> contrasts_of_pairs(std::span<const Match> matches, const SessionVariances& sessions) {
    std::vector<StoredContrast> contrasts(matches.size());
    for (std::size_t i = 0; i < matches.size(); ++i) {
        const auto& [before, after] = matches[i];
        if (before == nullptr || after == nullptr || before->logs.empty() || after->logs.empty()) continue;
        contrasts[i].contrast = stats::welch_contrast(stats::moments_of(before->logs), stats::moments_of(after->logs),
                                                      session_of(sessions, matches[i].name()));
    }
    return contrasts;
}

SessionVariances session_variances(std::span<const std::vector<StoredValues>> sessions) {
    std::map<std::string, std::vector<const StoredValues*>> histories;
    for (const std::vector<StoredValues>& session : sessions)
        for (const StoredValues& values : session)
            if (!values.logs.empty() && !values.error && !values.busy) histories[values.name].push_back(&values);
    SessionVariances variances;
    for (const auto& [name, history] : histories) {
        std::vector<double> clocks, levels;
        for (const StoredValues* values : history)
            clocks.insert(clocks.end(), values->log_clocks.begin(), values->log_clocks.end());
        const double log_clock = clocks.empty() ? 0 : stats::mean(clocks);
        for (const StoredValues* values : history)
            levels.push_back(stats::mean(logs_at(*values, -values->computed_ratio, log_clock)));
        if (const auto variance = stats::session_variance(levels)) variances.emplace(name, *variance);
    }
    return variances;
}

}  // namespace tare::record
