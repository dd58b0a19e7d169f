// Series are put together record by record: a blob holds all cases of one, sorted by nothing.
#include "harness/history/index_queries.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "harness/core/median.h"
#include "harness/core/references.h"
#include "harness/history/index_layout.h"
#include "harness/history/name_pattern.h"
#include "harness/history/record_surroundings.h"
#include "harness/stats/one_clock.h"

namespace tare::history {

using core::Expected;
using core::Series;
using core::SeriesUnit;

namespace {

struct StoredRecord {
    std::int64_t id = 0;
    IndexedRecord record;
};

Expected<std::vector<StoredRecord>> stored_records(Database& database) {
    Expected<Statement> all = database.prepare(
        "SELECT id, file, kind, date_s, machine, machine_text, environment, version, commit_id, reference, "
        "package, packages, cases, busy_cases, at_clock_ghz FROM records ORDER BY date_s, file");
    if (!all) return tl::unexpected(all.error());
    std::vector<StoredRecord> records;
    for (;;) {
        const Expected<bool> row = all->step();
        if (!row) return tl::unexpected(row.error());
        if (!*row) return records;
        records.push_back({all->integer(0),
                           {.file = all->text(1),
                            .kind = all->text(2),
                            .date_s = all->real(3),
                            .machine = all->text(4),
                            .machine_text = all->text(5),
                            .environment = all->text(6),
                            .version = all->text(7),
                            .commit = all->text(8),
                            .reference = all->text(9),
                            .cases = static_cast<std::size_t>(std::max<std::int64_t>(all->integer(12), 0)),
                            .busy_cases = static_cast<std::size_t>(std::max<std::int64_t>(all->integer(13), 0)),
                            .package = all->text(10),
                            .packages = all->text(11),
                            .at_clock_ghz = all->real(14)}});
    }
}

struct Metric {
    std::int64_t id = 0;
    SeriesUnit unit = SeriesUnit::kNanoseconds;
};

/// The id is 0 where there is none of that name.
Expected<Metric> metric_of(Database& database, const std::string& name) {
    Expected<Statement> find = database.prepare("SELECT id, unit FROM metrics WHERE name = ?");
    if (!find) return tl::unexpected(find.error());
    const Expected<bool> row = find->bind(name).step();
    if (!row) return tl::unexpected(row.error());
    if (!*row) return Metric{};
    const auto unit = std::clamp<std::int64_t>(find->integer(1), 0, static_cast<int>(SeriesUnit::kCount));
    return Metric{find->integer(0), static_cast<SeriesUnit>(unit)};
}

/// Names of the cases that the pattern is found in, by id (ids are dense); empty for the others.
constexpr std::int64_t kMostCases = 10'000'000;  // an id beyond is damage
Expected<std::vector<std::string>> matching_cases(Database& database, const std::string& pattern) {
    const Expected<NamePattern> wanted = NamePattern::parse(pattern);
    if (!wanted) return tl::unexpected(wanted.error());
    Expected<Statement> all = database.prepare("SELECT id, name FROM cases");
    if (!all) return tl::unexpected(all.error());
    std::vector<std::string> names;
    for (;;) {
        const Expected<bool> row = all->step();
        if (!row) return tl::unexpected(row.error());
        if (!*row) return names;
        std::string name = all->text(1);
        if (!wanted->is_in(name)) continue;
        const auto id = static_cast<std::size_t>(std::clamp<std::int64_t>(all->integer(0), 0, kMostCases));
        names.resize(std::max(names.size(), id + 1));
        names[id] = std::move(name);
    }
}

/// Of clocks from the oldest on the first that is near their median: one that was misread would be near none.
double clock_of_most(const std::vector<double>& clocks_ghz) {
    if (clocks_ghz.empty()) return 0;
    const double middle_ghz = core::median(clocks_ghz);
    const auto found = std::ranges::find_if(
        clocks_ghz, [&](double clock_ghz) { return core::are_near_clocks(clock_ghz, middle_ghz); });
    return found == clocks_ghz.end() ? clocks_ghz.front() : *found;
}

/// What series are told apart by beside the case; one number for each, in the order of first appearance.
class Surroundings {
  public:
    /// Also counts the records of each, and finds the clock that their times are put at. `records`: oldest first.
    explicit Surroundings(const std::vector<StoredRecord>& records) {
        std::vector<std::vector<double>> clocks_ghz;
        for (const StoredRecord& each : records) {
            const std::size_t number = number_of(each.record);
            counts_.resize(std::max(counts_.size(), number + 1));
            clocks_ghz.resize(counts_.size());
            ++counts_[number];
            if (const double clock_ghz = each.record.at_clock_ghz; clock_ghz > 0 && std::isfinite(clock_ghz))
                clocks_ghz[number].push_back(clock_ghz);
        }
        for (const std::vector<double>& clocks : clocks_ghz) at_clock_ghz_.push_back(clock_of_most(clocks));
    }
    [[nodiscard]] std::size_t records(std::size_t number) const { return counts_[number]; }
    [[nodiscard]] double at_clock_ghz(std::size_t number) const { return at_clock_ghz_[number]; }
    [[nodiscard]] std::size_t number_of(const IndexedRecord& record) {
        return numbers_.try_emplace({record.machine, record.environment, record.reference}, numbers_.size())
            .first->second;
    }

  private:
    std::map<std::tuple<std::string, std::string, std::string>, std::size_t> numbers_;
    std::vector<std::size_t> counts_;
    std::vector<double> at_clock_ghz_;
};

/// Of `package`, and its commit; empty where the record did not load it. Of none: as the record says.
std::pair<std::string, std::string> version_of(const IndexedRecord& record, const std::string& package) {
    const bool is_numpy = package == "numpy" && record.package.empty();  // whose version such a record has
    if (package.empty() || package == record.package || is_numpy) return {record.version, record.commit};
    for (const auto& [name, version, commit] : loaded_in(record.packages))
        if (name == package) return {version, commit};
    return {};
}

class SeriesMaker {
  public:
    SeriesMaker(const SeriesQuery& query, SeriesUnit unit, std::vector<std::string> names,
                const std::vector<StoredRecord>& records)
        : query_(&query), unit_(unit), names_(std::move(names)), surroundings_(records) {}

    void add(const IndexedRecord& record, std::string_view bytes) {
        const std::size_t number = surroundings_.number_of(record);
        const auto [version_text, commit_text] = version_of(record, query_->package);
        const core::SharedText file = record.file, version = version_text, commit = commit_text,
                               packages = record.package.empty() && query_->package.empty() ? record.packages : "";
        std::vector<std::size_t>& places = places_[number];
        places.resize(names_.size(), kNoSeries);
        for (std::size_t at = 0; at + sizeof(PackedPoint) <= bytes.size(); at += sizeof(PackedPoint)) {
            PackedPoint point;
            std::memcpy(&point, bytes.data() + at, sizeof point);
            if (point.case_id >= names_.size() || names_[point.case_id].empty()) continue;
            std::size_t& place = places[point.case_id];
            if (place == kNoSeries) {
                place = series_.size();
                series_.push_back(
                    {{record.machine, record.environment, names_[point.case_id], query_->metric, record.reference},
                     unit_,
                     {},
                     unit_ == SeriesUnit::kNanoseconds ? surroundings_.at_clock_ghz(number) : 0});
                // Most cases are in most records; growing would move each point, with its texts, ten times.
                series_.back().points.reserve(surroundings_.records(number));
            }
            const double factor = to_one_clock(series_[place], record.at_clock_ghz, point.computed_ratio);
            core::SeriesPoint& added = series_[place].points.emplace_back();
            added.record = file;
            added.date_s = record.date_s;
            added.version = version;
            added.commit = commit;
            added.packages = packages;
            added.value = point.value * factor;
            if (!std::isnan(point.low)) added.low = point.low * factor;
            if (!std::isnan(point.high)) added.high = point.high * factor;
            added.processes = point.processes;
        }
    }

    std::vector<Series> take() {
        std::sort(series_.begin(), series_.end(), [](const Series& a, const Series& b) {
            return std::tie(a.key.case_name, a.key.machine, a.key.environment, a.key.reference) <
                   std::tie(b.key.case_name, b.key.machine, b.key.environment, b.key.reference);
        });
        return std::move(series_);
    }

  private:
    /// What a record's value is to be multiplied by.
    static double to_one_clock(Series& series, double own_ghz, double computed_ratio) {
        if (!(series.at_clock_ghz > 0)) return 1;
        if (computed_ratio >= 0 && computed_ratio <= 1 && core::are_near_clocks(own_ghz, series.at_clock_ghz))
            return stats::clock_factor(own_ghz, series.at_clock_ghz, computed_ratio);
        ++series.at_own_clock;
        return 1;
    }

    static constexpr std::size_t kNoSeries = static_cast<std::size_t>(-1);
    const SeriesQuery* query_;
    SeriesUnit unit_;
    std::vector<std::string> names_;
    Surroundings surroundings_;
    std::map<std::size_t, std::vector<std::size_t>> places_;  ///< of the cases' series, by surroundings and id
    std::vector<Series> series_;
};

Expected<std::vector<std::string>> texts(Database& database, std::string_view sql) {
    Expected<Statement> all = database.prepare(sql);
    if (!all) return tl::unexpected(all.error());
    std::vector<std::string> found;
    for (;;) {
        const Expected<bool> row = all->step();
        if (!row) return tl::unexpected(row.error());
        if (!*row) return found;
        found.push_back(all->text(0));
    }
}

}  // namespace

Expected<std::vector<IndexedRecord>> query_records(Database& database) {
    Expected<std::vector<StoredRecord>> stored = stored_records(database);
    if (!stored) return tl::unexpected(stored.error());
    std::vector<IndexedRecord> records;
    for (StoredRecord& each : *stored) records.push_back(std::move(each.record));
    return records;
}

Expected<std::vector<Series>> query_series(Database& database, const SeriesQuery& query) {
    auto names = matching_cases(database, query.case_pattern);
    if (!names) return tl::unexpected(names.error());
    const Expected<Metric> metric = metric_of(database, query.metric);
    if (!metric) return tl::unexpected(metric.error());
    if (metric->id == 0 || names->empty()) return std::vector<Series>();
    const Expected<std::vector<StoredRecord>> records = stored_records(database);
    if (!records) return tl::unexpected(records.error());
    Expected<Statement> find = database.prepare("SELECT points FROM points WHERE metric = ? AND record = ?");
    if (!find) return tl::unexpected(find.error());
    SeriesMaker maker(query, metric->unit, *std::move(names), *records);
    for (const StoredRecord& each : *records) {
        if (!each.record.machine.starts_with(query.machine)) continue;
        const Expected<bool> row = find->bind(metric->id, each.id).step();
        if (!row) return tl::unexpected(row.error());
        if (*row) maker.add(each.record, find->bytes(0));
    }
    return maker.take();
}

Expected<std::vector<std::string>> query_metrics(Database& database) {
    return texts(database,
                 "SELECT name FROM metrics WHERE EXISTS(SELECT 1 FROM points WHERE metric = metrics.id) ORDER BY name");
}

Expected<std::vector<std::string>> query_case_names(Database& database) {
    return texts(database, "SELECT name FROM cases ORDER BY name");
}

}  // namespace tare::history
