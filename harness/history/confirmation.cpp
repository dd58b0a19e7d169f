// Only time can be confirmed: a change of another metric keeps its standing.
#include "harness/history/confirmation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/history/record_surroundings.h"

namespace tare::history {

namespace {

using stats::Verdict;

bool is_time(const core::SeriesKey& key) {
    return key.metric == "gross" || key.metric == "anchored";
}

/// What a duet compares, as its own sides tell.
struct ReadDuet {
    ChangeEnds versions;
    ChangeEnds commits;
    std::vector<record::CaseVerdict> verdicts;
};

/// One that a package index may have: neither a development version nor one with a local part.
bool is_release(const std::string& version) {
    return !version.empty() && version.find("dev") == std::string::npos &&
           version.find_first_of("+, ") == std::string::npos;
}

std::optional<ReadDuet> read(const std::filesystem::path& path, const std::string& package) {
    const core::Expected<record::Duet> duet = record::read_duet(path);
    if (!duet || duet->settings["injected_ratio"].as_double() != 0) return std::nullopt;
    const auto [version_a, commit_a] = version_of_subject(duet->sides[0], package);
    const auto [version_b, commit_b] = version_of_subject(duet->sides[1], package);
    return ReadDuet{{version_a, version_b, false}, {commit_a, commit_b, true}, record::decide(*duet)};
}

/// Proven to lie in the direction of `proposed`, and to be more than the tolerance: a change, however small.
bool is_real(const stats::Finding& finding, Verdict proposed, const stats::Margins& margins) {
    if (!finding.ratio_interval) return false;
    const double low = std::log(finding.ratio_interval->low), high = std::log(finding.ratio_interval->high);
    return proposed == Verdict::kSlower ? low > 0 && high > margins.log_tolerance()
                                        : high < 0 && low < -margins.log_tolerance();
}

stats::Finding swapped(const stats::Finding& finding) {
    stats::Finding other = finding;
    other.verdict = stats::mirrored(finding.verdict);
    if (finding.contrast) other.contrast = stats::mirrored(*finding.contrast);
    if (finding.ratio_interval)
        other.ratio_interval = stats::Interval{1 / finding.ratio_interval->high, 1 / finding.ratio_interval->low};
    return other;
}

/// The record of a duet, read when it is first asked for.
class DuetRecords {
  public:
    DuetRecords(const record::Store& store, const std::vector<IndexedRecord>& records, std::string package)
        : store_(store), package_(std::move(package)) {
        for (const IndexedRecord& each : records)
            if (each.kind == "duet") records_.push_back(&each);
        std::ranges::stable_sort(
            records_, [](const IndexedRecord* one, const IndexedRecord* two) { return one->date_s > two->date_s; });
    }

    /// The latest verdict on this case between these ends, with side a before the change.
    [[nodiscard]] std::optional<record::CaseVerdict> verdict_on(const core::SeriesKey& key, const ChangeEnds& ends) {
        for (const IndexedRecord* each : records_) {
            if (!is_in_surroundings(*each, key) || !may_compare(*each, ends)) continue;
            const auto [place, fresh] = read_.try_emplace(each->file);
            if (fresh) place->second = read(store_.records() / each->file, package_);
            if (!place->second) continue;
            const ChangeEnds& compared = ends.are_commits ? place->second->commits : place->second->versions;
            const ChangeEnds turned{ends.after, ends.before, ends.are_commits};
            if (compared != ends && compared != turned) continue;
            for (record::CaseVerdict verdict : place->second->verdicts) {
                if (verdict.selected.name != key.case_name || verdict.error || !verdict.state.finding.contrast)
                    continue;
                if (compared == turned) verdict.state.finding = swapped(verdict.state.finding);
                return verdict;
            }
        }
        return std::nullopt;
    }

  private:
    /// From the index alone, so that few records are read.
    [[nodiscard]] bool may_compare(const IndexedRecord& record, const ChangeEnds& ends) const {
        if (!package_.empty() && package_ != record.package)
            return std::ranges::any_of(loaded_in(record.packages), [&](const LoadedPackage& each) {
                const std::string& own = ends.are_commits ? each.commit : each.version;
                return each.name == package_ && (own == ends.before || own == ends.after);
            });
        if (ends.are_commits) return record.commit == ends.before || record.commit == ends.after;
        const auto compares = [&](const std::string& a, const std::string& b) {
            return record.version == b && record.reference == about(record) + " " + a;
        };
        return compares(ends.before, ends.after) || compares(ends.after, ends.before);
    }

    [[nodiscard]] static std::string about(const IndexedRecord& record) {
        return record.package.empty() ? "numpy" : record.package;
    }

    const record::Store& store_;
    const std::string package_;
    std::vector<const IndexedRecord*> records_;  ///< latest first
    std::map<std::string, std::optional<ReadDuet>> read_;
};

}  // namespace

ChangeEnds ends_of(const Trend& trend, const TrendChange& change, bool commits) {
    const std::vector<core::SeriesPoint>& points = trend.series.points;
    if (change.point.first == 0 || change.point.first >= points.size()) return {};
    const core::SeriesPoint& before = points[change.point.first - 1];
    const core::SeriesPoint& after = points[change.point.first];
    const bool known = !before.commit.empty() && !after.commit.empty() && before.commit != after.commit;
    if (known && (commits || !is_release(before.version) || !is_release(after.version)))
        return {before.commit, after.commit, true};
    if (before.version != after.version) return {before.version, after.version, false};
    return {before.commit, after.commit, true};
}

bool is_in_surroundings(const IndexedRecord& duet, const core::SeriesKey& key) {
    // A reference tells behind a comma how side a's surroundings differ from side b's, and what was injected.
    // A series of records that do not say what they are about is confirmed by a duet that does.
    const auto without = [&](std::string environment) {
        const std::string about = ", about " + duet.package;
        const std::size_t at = environment.find(about);
        if (!duet.package.empty() && at != std::string::npos && key.environment.find(about) == std::string::npos)
            environment.erase(at, about.size());
        return environment;
    };
    return duet.machine == key.machine && without(duet.environment) == key.environment &&
           duet.reference.find(',') == std::string::npos;
}

void judge(TrendChange& change, const record::CaseVerdict& verdict) {
    const stats::Finding& finding = verdict.state.finding;
    std::string words;
    if (finding.contrast) words = fmt::format("{:+.1f} %", 100 * (finding.contrast->ratio() - 1));
    if (finding.ratio_interval)
        words += fmt::format(" [{:+.1f}, {:+.1f}]", 100 * (finding.ratio_interval->low - 1),
                             100 * (finding.ratio_interval->high - 1));
    words += fmt::format("{}{} pairs", words.empty() ? "" : ", ", finding.pairs);
    const Verdict proposed = change.change_ratio > 1 ? Verdict::kSlower : Verdict::kFaster;
    if (verdict.error) {
        change.standing = Standing::kNotTried;
        change.confirmation = "the case failed: " + verdict.error->error.what;
    } else if (finding.verdict == Verdict::kInconclusive) {
        change.standing = Standing::kNotTried;
        change.confirmation = "inconclusive: " + words;
    } else {
        const bool is_smaller =
            finding.verdict == Verdict::kSame && is_real(finding, proposed, verdict.selected.margins);
        change.standing = finding.verdict == proposed ? Standing::kConfirmed
                          : is_smaller                ? Standing::kSmaller
                                                      : Standing::kRefuted;
        change.confirmation = words;
        if (is_smaller)
            change.confirmation +=
                fmt::format(": real, but below the bound of {:g} %", 100 * verdict.selected.margins.bound_relative);
    }
}

void confirm_from_records(const record::Store& store, const std::vector<IndexedRecord>& records,
                          std::vector<Trend>& trends, const std::string& package) {
    DuetRecords duets(store, records, package);
    for (Trend& trend : trends)
        for (TrendChange& change : trend.changes) {
            if (change.standing != Standing::kProposed || !is_time(trend.series.key)) continue;
            for (const bool commits : {true, false}) {
                const ChangeEnds ends = ends_of(trend, change, commits);
                if (ends.before.empty() || ends.after.empty()) continue;
                const auto verdict = duets.verdict_on(trend.series.key, ends);
                if (!verdict) continue;
                judge(change, *verdict);
                break;
            }
        }
}

}  // namespace tare::history
