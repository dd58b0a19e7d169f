// Values of each case in both records, their contrast, and the suite's decision.
#include "harness/record/stored_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <vector>

#include "harness/record/comparison_json.h"
#include "harness/record/instruction_notes.h"
#include "harness/record/shared_lines.h"
#include "harness/record/stored_instructions.h"
#include "harness/stats/variance_prior.h"

namespace tare::record {

namespace {

constexpr const char* kStoredKind = "stored comparison";

/// What one record holds of a case.
struct StoredValues {
    std::string name;
    /// Of ln of times in ns, one value per process; or of ln(b/a), one per pair. Without a value nothing.
    std::optional<stats::Moments> moments;
    std::optional<double> time_ns;
    std::optional<core::Error> error;
    bool not_positive = false;  ///< a time net of the harness is not above 0: no logarithm, no verdict
    bool placement_kept = false;
    bool busy = false;                ///< of all batches: too few were quiet to say what an uncontended machine takes
    std::optional<double> log_clock;  ///< of the core's clock in GHz, the mean of its visits; none: one does not say
    std::string statements;           ///< where the record has them
};

/// Of the core, in each visit; of records from before a visit had its clock, the median of the whole run.
using LogClocks = std::map<std::tuple<std::string_view, int, int>, double>;  // by case, round and process

LogClocks log_clocks(const Record& record) {
    const double median_ghz = record.context["references"]["clock_ghz"].as_double();
    LogClocks clocks;
    for (const core::Visit& visit : record.visits)
        if (const double ghz = visit.clock_ghz > 0 ? visit.clock_ghz : median_ghz; ghz > 0)
            clocks[{visit.case_name, visit.round, visit.process}] = std::log(ghz);
    return clocks;
}

/// The mean over the processes that the time is of; none where one does not say.
std::optional<double> mean_log_clock(const LogClocks& clocks, std::string_view case_name,
                                     const std::vector<stats::ProcessValue>& processes) {
    std::vector<double> logs;
    for (const stats::ProcessValue& process : processes)
        if (const auto found = clocks.find({case_name, process.round, process.process}); found != clocks.end())
            logs.push_back(found->second);
    return logs.empty() || logs.size() < processes.size() ? std::nullopt : std::optional(stats::moments_of(logs).mean);
}

std::vector<StoredValues> values_of(const Record& record) {
    const LogClocks clocks = log_clocks(record);
    std::vector<StoredValues> cases;
    core::References best = best_references(record.context);
    best.clock_ghz = 0;  // times as they were: what a clock did to them is judged here
    for (const stats::CaseEstimate& estimate : stats::estimate_cases(record.visits, {}, best)) {
        StoredValues values;
        values.name = estimate.name;
        values.error = estimate.error;
        values.busy = estimate.quiet && estimate.quiet->busy;
        if (const stats::RungEstimate* gross = estimate.rung(core::RungKind::kPython)) {
            values.time_ns = gross->time_ns.value;
            values.log_clock = mean_log_clock(clocks, estimate.name, gross->processes);
            std::vector<double> logs;
            for (const stats::ProcessValue& process : gross->processes) {
                values.not_positive |= !(process.median_ns > 0);
                logs.push_back(std::log(process.median_ns));
            }
            if (!values.not_positive && !logs.empty()) values.moments = stats::moments_of(logs);
        }
        cases.push_back(std::move(values));
    }
    return cases;
}

/// The variance of each case drawn towards what is usual in the run.
std::vector<StoredValues> moderated_values_of(const Record& record) {
    std::vector<StoredValues> cases = values_of(record);
    std::vector<stats::Moments> all;
    for (const StoredValues& values : cases)
        if (values.moments && !values.error && !values.busy) all.push_back(*values.moments);
    const std::optional<stats::VariancePrior> prior = stats::variance_prior(all);
    if (!prior) return cases;
    for (StoredValues& values : cases)
        if (values.moments && !values.busy) values.moments = stats::moderated(*values.moments, *prior);
    return cases;
}

std::vector<StoredValues> values_of(const Duet& duet) {
    std::vector<StoredValues> cases;
    std::vector<std::vector<double>> logs;
    std::map<std::string, std::size_t> places;
    for (const CaseVerdict& verdict : decide(duet)) {
        if (verdict.selected.presence != Presence::kBoth) continue;
        places.emplace(verdict.selected.name, cases.size());
        StoredValues values;
        values.name = verdict.selected.name;
        values.time_ns = verdict.b_ns;
        if (verdict.error) values.error = verdict.error->error;
        values.statements = verdict.selected.statement_a + '\n' + verdict.selected.statement_b;
        values.placement_kept = !duet.page_cache.refused.empty() && !duet.page_cache.files.empty();
        cases.push_back(std::move(values));
    }
    logs.resize(cases.size());
    for (const core::PairVisit& visit : duet.visits)
        if (const auto place = places.find(visit.case_name); place != places.end())
            if (const auto pair = estimate_of(visit)) logs[place->second].push_back(pair->log_ratio);
    for (std::size_t i = 0; i < cases.size(); ++i)
        if (!logs[i].empty()) cases[i].moments = stats::moments_of(logs[i]);
    return cases;
}

std::optional<stats::SessionVariance> session_of(const SessionVariances& sessions, const std::string& name) {
    const auto found = sessions.find(name);
    return found == sessions.end() ? std::nullopt : std::optional(found->second);
}

/// A case of either record; null where the record lacks it.
struct Match {
    const StoredValues* before = nullptr;
    const StoredValues* after = nullptr;
};

/// In the order of the old record; cases that only the new one has follow.
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

ComparedCase describe(const Match& match, const stats::Margins& margins) {
    ComparedCase compared;
    compared.name = match.before != nullptr ? match.before->name : match.after->name;
    compared.margins = margins;
    if (match.before == nullptr || match.after == nullptr)
        compared.presence = match.before != nullptr ? Presence::kOnlyA : Presence::kOnlyB;
    for (const auto& [side, values] :
         {std::pair{core::Side::kA, match.before}, std::pair{core::Side::kB, match.after}}) {
        if (values == nullptr) continue;
        const std::size_t index = side == core::Side::kA ? 0 : 1;
        compared.times_ns[index] = values->time_ns;
        compared.values[index] = values->moments ? values->moments->count : 0;
        if (values->error && !compared.error) compared.error = core::SideError{side, *values->error};
    }
    return compared;
}

/// Where a case's clock changed by as much as its time may, or decided.
std::string clock_note(const std::vector<stats::StoredCase>& cases, const Comparison& comparison) {
    double least = 0, most = 0;
    bool told = false;
    for (const stats::StoredCase& stored : cases) {
        told |= std::abs(stored.clock_log_ratio) > stored.margins.log_tolerance();
        least = std::min(least, stored.clock_log_ratio);
        most = std::max(most, stored.clock_log_ratio);
    }
    told |= std::ranges::any_of(comparison.cases, [](const ComparedCase& compared) {
        return compared.reason == stats::Reason::kClock && !compared.error;
    });
    if (!told) return {};
    const double change = std::abs(least) > most ? least : most;
    return fmt::format(
        "clock: the core's clock ran up to {:+.1f} % in the new record, which moves the times of what the core alone "
        "does: a verdict holds with and without that",
        100 * std::expm1(change));
}

void keep_shown(const StoredOptions& options, Comparison& comparison) {
    std::erase_if(comparison.cases, [&](const ComparedCase& compared) { return !options.shows(compared.name); });
}

Comparison compare(const std::vector<StoredValues>& before, const std::vector<StoredValues>& after,
                   const StoredOptions& options, const std::string& values_name) {
    Comparison comparison;
    comparison.sides = {"old", "new"};
    comparison.values = values_name;
    std::vector<stats::StoredCase> suite;
    std::vector<std::size_t> judged;  // the place of each in `cases`
    std::vector<std::string> not_positive, other_work, busy;
    const auto tell = [&options](const std::string& name, std::vector<std::string>& names) {
        if (options.shows(name)) names.push_back(name);
    };
    for (const Match& match : matches_of(before, after)) {
        const std::string& name = match.before != nullptr ? match.before->name : match.after->name;
        const stats::Margins margins = options.margins_of ? options.margins_of(name) : stats::Margins{};
        comparison.cases.push_back(describe(match, margins));
        ComparedCase& compared = comparison.cases.back();
        const auto session = session_of(options.sessions, name);
        compared.standing = session ? stats::Standing::kGating : stats::Standing::kIndicative;
        if (compared.presence != Presence::kBoth || compared.error) continue;
        if (match.before->placement_kept || match.after->placement_kept)
            compared.standing = stats::Standing::kIndicative;
        const bool is_busy = match.before->busy || match.after->busy;
        if (is_busy) {
            compared.standing = stats::Standing::kIndicative;
            tell(name, busy);
        }
        if (match.before->statements != match.after->statements) {
            compared.standing = stats::Standing::kIndicative;
            tell(name, other_work);
        }
        if (match.before->not_positive || match.after->not_positive) tell(name, not_positive);
        std::optional<stats::Contrast> contrast;
        if (match.before->moments && match.after->moments)
            contrast = stats::welch_contrast(*match.before->moments, *match.after->moments, session);
        if (contrast) compared.ratio = contrast->ratio();
        if (contrast && is_busy) {
            compared.ratio_interval = stats::ratio_interval(*contrast);
            compared.verdict = stats::Verdict::kInconclusive;
            compared.reason = stats::Reason::kBusy;
            continue;
        }
        const bool clocks_known = match.before->log_clock && match.after->log_clock;
        judged.push_back(comparison.cases.size() - 1);
        suite.push_back({contrast, margins, compared.standing,
                         clocks_known ? *match.after->log_clock - *match.before->log_clock : 0});
    }
    const std::vector<stats::StoredFinding> findings = stats::decide_stored(suite, options.rules);
    std::vector<stats::StoredCase> shown;
    for (std::size_t i = 0; i < findings.size(); ++i) {
        ComparedCase& compared = comparison.cases[judged[i]];
        compared.verdict = findings[i].verdict;
        compared.reason = findings[i].reason;
        compared.ratio_interval = findings[i].ratio_interval;
        compared.certifiable_relative = findings[i].certifiable_relative;
        if (options.shows(compared.name)) shown.push_back(suite[i]);
    }
    keep_shown(options, comparison);
    if (std::string margins = margins_text(comparison); !margins.empty())
        comparison.notes.push_back(std::move(margins));
    if (std::string clock = clock_note(shown, comparison); !clock.empty()) comparison.notes.push_back(std::move(clock));
    if (!other_work.empty())
        comparison.notes.push_back("not the same work: the records have different statements: " +
                                   names_text(other_work));
    if (!busy.empty())
        comparison.notes.push_back(
            "busy: others used the core for all but a few batches of a record, which may account for the difference: " +
            names_text(busy));
    if (!not_positive.empty())
        comparison.notes.push_back("no time above the harness's own cost: " + names_text(not_positive));
    return comparison;
}

std::size_t count_indicative(const Comparison& comparison) {
    return static_cast<std::size_t>(
        std::count_if(comparison.cases.begin(), comparison.cases.end(), [](const ComparedCase& compared) {
            return compared.presence == Presence::kBoth && !compared.error &&
                   compared.standing == stats::Standing::kIndicative;
        }));
}

template <class Session>
SessionVariances variances_of(std::span<const Session> sessions) {
    std::map<std::string, std::vector<double>> levels;
    for (const Session& session : sessions)
        for (const StoredValues& values : values_of(session))
            if (values.moments && !values.error && !values.busy) levels[values.name].push_back(values.moments->mean);
    SessionVariances variances;
    for (const auto& [name, history] : levels)
        if (const auto variance = stats::session_variance(history)) variances.emplace(name, *variance);
    return variances;
}

/// Of imported runs: the names of cases whose benchmark was another one, by the hash of its source that asv stored.
std::vector<std::string> changed_benchmarks(const Record& before, const Record& after, const StoredOptions& options) {
    const auto versions_of = [](const Record& record) {
        std::map<std::string_view, std::string_view> versions;
        for (const core::Visit& visit : record.visits)
            for (const core::RungVisit& rung : visit.rungs)
                if (const std::string& version = rung.facts["benchmark_version"].as_text(); !version.empty())
                    versions.emplace(visit.case_name, version);
        return versions;
    };
    std::vector<std::string> names;
    const auto old_versions = versions_of(before);
    for (const auto& [name, version] : versions_of(after))
        if (const auto found = old_versions.find(name); found != old_versions.end() && found->second != version)
            if (options.shows(std::string(name))) names.emplace_back(name);
    return names;
}

}  // namespace

Comparison compare_runs(const Record& before, const Record& after, const StoredOptions& options) {
    Comparison comparison = compare(moderated_values_of(before), moderated_values_of(after), options, "processes");
    add_instructions(comparison, before, after, options.margins_of);
    keep_shown(options, comparison);  // those that have nothing but a ledger, too
    if (const std::size_t count = count_indicative(comparison); count > 0)
        comparison.notes.push_back(
            fmt::format("indicative ({} case{}): the records were not measured side by side, and how much two sessions "
                        "of unchanged "
                        "code differ is not known; a duet decides",
                        count, count == 1 ? "" : "s"));
    if (const std::vector<std::string> names = changed_benchmarks(before, after, options); !names.empty())
        comparison.notes.push_back("not the same work: the benchmark itself changed between the records: " +
                                   names_text(names));
    return comparison;
}

Comparison compare_anchored(const Duet& before, const Duet& after, const StoredOptions& options) {
    Comparison comparison = compare(values_of(before), values_of(after), options, "pairs");
    if (const std::size_t count = count_indicative(comparison); count > 0)
        comparison.notes.push_back(fmt::format(
            "indicative ({} case{}): how much the ratio to the reference wanders from session to session is not known; "
            "{} or more anchored records of unchanged code tell",
            count, count == 1 ? "" : "s", stats::kFewestSessions));
    for (const auto& [name, duet] : {std::pair{"old", &before}, std::pair{"new", &after}}) {
        if (duet->page_cache.refused.empty() || duet->page_cache.files.empty()) continue;
        comparison.notes.push_back(
            fmt::format("indicative: the page cache was not redrawn in the {} record ({}): its placement may account "
                        "for {:g} %",
                        name, one_line(duet->page_cache.refused), 100 * kPlacementRelative));
    }
    return comparison;
}

SessionVariances session_variances(std::span<const Record> sessions) {
    return variances_of(sessions);
}

SessionVariances session_variances(std::span<const Duet> sessions) {
    return variances_of(sessions);
}

std::string print_comparison_json(const Comparison& comparison) {
    std::vector<std::string> notes = instruction_notes(comparison);
    notes.insert(notes.end(), comparison.notes.begin(), comparison.notes.end());
    Json json = object_of({{"kind", kStoredKind}, {"notes", std::move(notes)}});
    json["counts"] = counts_to_json(comparison);
    json["verdicts"] = compared_cases_to_json(comparison);
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace tare::record
