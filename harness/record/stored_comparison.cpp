// Values of each case in both records, their contrast, and the suite's decision.
#include "harness/record/stored_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "harness/record/comparison_json.h"
#include "harness/record/instruction_notes.h"
#include "harness/record/shared_lines.h"
#include "harness/record/stored_contrasts.h"
#include "harness/record/stored_instructions.h"
#include "harness/record/stored_values.h"

namespace tare::record {

namespace {

constexpr const char* kStoredKind = "stored comparison";

ComparedCase describe(const Match& match, const stats::Margins& margins) {
    ComparedCase compared;
    compared.name = match.name();
    compared.margins = margins;
    if (match.before == nullptr || match.after == nullptr)
        compared.presence = match.before != nullptr ? Presence::kOnlyA : Presence::kOnlyB;
    for (const auto& [side, values] :
         {std::pair{core::Side::kA, match.before}, std::pair{core::Side::kB, match.after}}) {
        if (values == nullptr) continue;
        const std::size_t index = side == core::Side::kA ? 0 : 1;
        compared.times_ns[index] = values->time_ns;
        compared.values[index] = static_cast<int>(values->logs.size());
        compared.failed_on_both = compared.error && values->error;
        if (values->error && !compared.error) compared.error = core::SideError{side, *values->error};
    }
    return compared;
}

/// The clock that times are said at, and by how much it changed.
struct ClockNote {
    std::optional<double> at_log_clock;
    double largest_log_ratio = 0;  ///< of either sign
    bool decided = false;          ///< by as much as a case's time may change, or a verdict fell for it
    bool far = false;

    void add(const Match& match, const StoredContrast& found, const ComparedCase& compared) {
        if (found.old_ns && match.before->at_log_clock) at_log_clock = match.before->at_log_clock;
        if (std::abs(found.clock_log_ratio) > std::abs(largest_log_ratio)) largest_log_ratio = found.clock_log_ratio;
        decided |= std::abs(found.clock_log_ratio) > compared.margins.log_tolerance() ||
                   compared.reason == stats::Reason::kClock;
        far |= found.clocks_are_far;
    }
    /// Empty where there is nothing to say.
    [[nodiscard]] std::string text() const {
        const std::string at =
            at_log_clock ? fmt::format("at {:.2f} GHz", std::exp(*at_log_clock)) : "at the old clock";
        const double percent = 100 * std::expm1(largest_log_ratio);
        if (far)
            return fmt::format(
                "clock: the core's clock ran {:+.0f} % in the new record, too far for times to be put at one; "
                "a verdict holds for them as they were and in cycles",
                percent);
        if (decided)
            return fmt::format(
                "clock: the core's clock ran up to {:+.1f} % in the new record: times are said {}, as far as a case's "
                "processes follow it, and a verdict holds also if it follows wholly",
                percent, at);
        return at_log_clock ? fmt::format("clock: times are said {}", at) : std::string();
    }
};

void keep_shown(const StoredOptions& options, Comparison& comparison) {
    std::erase_if(comparison.cases, [&](const ComparedCase& compared) { return !options.shows(compared.name); });
}

using ContrastsOf = std::vector<StoredContrast> (*)(std::span<const Match>, const SessionVariances&);

Comparison compare(const std::vector<StoredValues>& before, const std::vector<StoredValues>& after,
                   const StoredOptions& options, ContrastsOf contrasts_of, const std::string& values_name) {
    Comparison comparison;
    comparison.sides = {"old", "new"};
    comparison.values = values_name;
    std::vector<stats::StoredCase> suite;
    std::vector<std::size_t> judged;  // the place of each in `cases`
    const std::vector<Match> matches = matches_of(before, after);
    const std::vector<StoredContrast> contrasts = contrasts_of(matches, options.sessions);
    std::vector<std::string> not_positive, other_work, busy;
    const auto tell = [&options](const std::string& name, std::vector<std::string>& names) {
        if (options.shows(name)) names.push_back(name);
    };
    for (std::size_t i = 0; i < matches.size(); ++i) {
        const Match& match = matches[i];
        const StoredContrast& found = contrasts[i];
        const std::string& name = match.name();
        const stats::Margins margins = options.margins_of ? options.margins_of(name) : stats::Margins{};
        comparison.cases.push_back(describe(match, margins));
        ComparedCase& compared = comparison.cases.back();
        compared.standing = options.sessions.contains(name) ? stats::Standing::kGating : stats::Standing::kIndicative;
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
        if (found.old_ns && found.new_ns) compared.times_ns = {found.old_ns, found.new_ns};
        if (found.contrast) compared.ratio = found.contrast->ratio();
        if (found.contrast && is_busy) {
            stats::Contrast contrast = *found.contrast;
            contrast.standard_error = std::hypot(contrast.standard_error, found.clock_standard_error);
            compared.ratio_interval = stats::ratio_interval(contrast);
            compared.verdict = stats::Verdict::kInconclusive;
            compared.reason = stats::Reason::kBusy;
            continue;
        }
        judged.push_back(i);
        suite.push_back(
            {found.contrast, margins, compared.standing, found.clock_standard_error, found.wholly_log_shift});
    }
    const std::vector<stats::StoredFinding> findings = stats::decide_stored(suite, options.rules);
    ClockNote clock;
    for (std::size_t i = 0; i < findings.size(); ++i) {
        ComparedCase& compared = comparison.cases[judged[i]];
        compared.verdict = findings[i].verdict;
        compared.reason = findings[i].reason;
        compared.ratio_interval = findings[i].ratio_interval;
        compared.certifiable_relative = findings[i].certifiable_relative;
        if (options.shows(compared.name)) clock.add(matches[judged[i]], contrasts[judged[i]], compared);
    }
    keep_shown(options, comparison);
    if (std::string margins = margins_text(comparison); !margins.empty())
        comparison.notes.push_back(std::move(margins));
    if (std::string text = clock.text(); !text.empty()) comparison.notes.push_back(std::move(text));
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
    std::vector<std::vector<StoredValues>> values;
    for (const Session& session : sessions) values.push_back(values_of(session));
    return session_variances(std::span<const std::vector<StoredValues>>(values));
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
    Comparison comparison = compare(values_of(before), values_of(after), options, contrasts_of_processes, "processes");
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
    Comparison comparison = compare(values_of(before), values_of(after), options, contrasts_of_pairs, "pairs");
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
