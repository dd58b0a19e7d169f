// Changes by their two ends; a duet for each.
#include "harness/cli/change_confirmation.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "harness/cli/duet_run.h"
#include "harness/cli/environment_maker.h"
#include "harness/cli/message.h"
#include "harness/cli/steering_variables.h"
#include "harness/cli/workbench.h"
#include "harness/history/confirmation.h"
#include "harness/history/record_surroundings.h"
#include "harness/history/series_environment.h"
#include "harness/record/packages.h"

namespace tare::cli {

using core::Error;
using core::ErrorCode;
using core::Expected;
using core::Status;
using history::ChangeEnds;
using history::Standing;

namespace {

struct Proposed {
    const history::Trend* trend;
    history::TrendChange* change;
};

/// What one duet can decide: its ends, and what it is run with.
struct Group {
    ChangeEnds ends;
    int threads = 1;
    bool operator<(const Group& other) const { return std::tie(ends, threads) < std::tie(other.ends, other.threads); }
};

void set_aside(history::TrendChange& change, std::string why) {
    change.standing = Standing::kNotTried;
    change.confirmation = std::move(why);
}

/// Why no duet can be made of it; empty: one can.
std::string obstacle(const history::Trend& trend, const ChangeEnds& ends, const std::string& build,
                     const std::string& machine) {
    const core::SeriesKey& key = trend.series.key;
    if (key.metric != "gross" && key.metric != "anchored") return fmt::format("a duet says nothing of {}", key.metric);
    if (key.machine != machine) return "measured on another machine, or under other settings of this one";
    if (ends.before.empty() || ends.after.empty()) return "its releases or commits are not known";
    if (ends.before.find(", ") != std::string::npos || ends.after.find(", ") != std::string::npos)
        return "the records do not say what they are about: --package NAME does";
    if (ends.before == ends.after) return "one release on both sides: the machine or its surroundings changed";
    if (ends.are_commits && build.empty()) return "commits need --build";
    if (!ends.are_commits && !build.empty()) return "--build makes commits, these are releases";
    return {};
}

/// That of a duet made here. A subject's host is the one it has itself.
history::SeriesEnvironment environment_here(const measure::Subject& subject, const std::string& package) {
    constexpr std::size_t kDigits = 8;  // of a build-id, as series name it
    history::SeriesEnvironment here;
    here.interpreter = fmt::format("{} {}{}", subject.implementation == "cpython" ? "CPython" : subject.implementation,
                                   subject.version, subject.free_threaded ? "t" : "");
    here.host = name_of(subject.is_shared() ? measure::Host::kEmbedded : measure::Host::kExecutable);
    here.package = package;
    for (const auto& [name, value] : steering_variables(environ)) here.variables.push_back(name + "=" + value);
    std::ranges::sort(here.variables);
    for (const std::string& id : {subject.executable_build_id, subject.libpython_build_id})
        if (!id.empty()) here.build += (here.build.empty() ? "" : "+") + id.substr(0, kDigits);
    return here;
}

Expected<DuetOutcome> compare(const Options& options, const Streams& streams, const EnvironmentMaker& maker,
                              const Group& group, const std::vector<std::string>& names) {
    const ChangeEnds& ends = group.ends;
    const Expected<std::string> before = maker.python_of(ends.before);
    if (!before) return tl::unexpected<Error>(before.error());
    const Expected<std::string> after = maker.python_of(ends.after);
    if (!after) return tl::unexpected<Error>(after.error());
    streams.err << fmt::format("comparing {} with {}: {} cases", ends.before, ends.after, names.size()) << std::endl;
    Options duet = duet_between(options, *before, *after);
    duet.duet.a.threads = duet.duet.b.threads = duet.subject.threads = group.threads;
    duet.filter = filter_of(names);
    Expected<DuetOutcome> outcome = run_duet(duet, streams);
    if (!outcome) return tl::unexpected<Error>(outcome.error());
    if (outcome->code == ExitCode::kInterrupted) return core::fail(ErrorCode::kInterrupted, "interrupted");
    return outcome;
}

/// What was measured in, for a reader of the series' line.
std::string surroundings_text(const history::IndexedRecord& duet) {
    const std::size_t comma = duet.reference.find(',');
    return duet.environment + (comma == std::string::npos ? "" : ", side a" + duet.reference.substr(comma));
}

void take(const DuetOutcome& outcome, const Proposed& proposed) {
    if (const history::IndexedRecord duet = history::surroundings_of(outcome.duet);
        !outcome.verdicts.empty() && !history::is_in_surroundings(duet, proposed.trend->series.key))
        return set_aside(*proposed.change, "its duet ran in other surroundings: " + surroundings_text(duet));
    for (const record::CaseVerdict& verdict : outcome.verdicts)
        if (verdict.selected.name == proposed.trend->series.key.case_name) {
            if (verdict.selected.presence != record::Presence::kBoth)
                return set_aside(*proposed.change, "the case is on one side only");
            return history::judge(*proposed.change, verdict);
        }
    set_aside(*proposed.change, "no such case: name its folder with --suite, measure a statement with bench bisect -e");
}

}  // namespace

Status confirm_by_duets(const Options& options, const Streams& streams, const std::string& machine,
                        std::vector<history::Trend>& trends) {
    const TrendOptions& own = options.trend;
    std::vector<std::pair<ChangeEnds, Proposed>> tried;
    for (history::Trend& trend : trends)
        for (history::TrendChange& change : trend.changes) {
            if (change.standing != Standing::kProposed) continue;
            const ChangeEnds ends = history::ends_of(trend, change, !own.build.empty());
            if (std::string why = obstacle(trend, ends, own.build, machine); !why.empty())
                set_aside(change, std::move(why));
            else
                tried.emplace_back(ends, Proposed{&trend, &change});
        }
    if (tried.empty()) return {};
    const auto maker = EnvironmentMaker::open(chosen_python(options.subject), {options.subject.package, options.beside},
                                              own.build, own.repository, streams);
    if (!maker) return tl::unexpected<Error>(maker.error());
    const history::SeriesEnvironment here =
        environment_here(maker->subject(), record::normalized_package(options.subject.package));
    std::map<Group, std::vector<Proposed>> groups;
    for (const auto& [ends, proposed] : tried) {
        const history::SeriesEnvironment series = history::read_environment(proposed.trend->series.key.environment);
        if (std::string why = history::difference_between(series, here); !why.empty())
            set_aside(*proposed.change, std::move(why));
        else
            groups[{ends, series.threads}].push_back(proposed);
    }
    for (const auto& [group, changes] : groups) {
        std::set<std::string> names;
        for (const Proposed& each : changes) names.insert(each.trend->series.key.case_name);
        const auto outcome = compare(options, streams, *maker, group, {names.begin(), names.end()});
        if (!outcome && outcome.error().code == ErrorCode::kInterrupted) return tl::unexpected<Error>(outcome.error());
        if (!outcome) print_warning(streams, outcome.error().what);
        for (const Proposed& each : changes)
            if (outcome)
                take(*outcome, each);
            else
                set_aside(*each.change, outcome.error().what);
    }
    return {};
}

}  // namespace tare::cli
