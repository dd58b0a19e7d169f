// Two processes may update one index: each looks again, under the lock, at what is there.
#include "harness/history/index_update.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>
#include <tuple>
#include <unordered_map>
#include <variant>

#include "harness/history/index_layout.h"
#include "harness/history/record_files.h"
#include "harness/history/record_values.h"
#include "harness/record/record_document.h"

namespace tare::history {

using core::Error;
using core::Expected;
using core::Status;

namespace {

/// Some 2 MB of points at 500 cases and 5 metrics.
constexpr std::size_t kBatch = 32;

/// A second one is rare; what empties the index this often must not hold up an answer.
constexpr int kMostPasses = 5;

/// What a file holds, or why it is no record.
struct ReadFile {
    RecordFile file;
    std::variant<RecordValues, Error> content;
};

ReadFile read_file(const std::filesystem::path& folder, const RecordFile& file) {
    const Expected<std::string> text = record::read_document(folder / file.name);
    if (!text) return {file, text.error()};
    Expected<RecordValues> values = read_values(*text, file.name);
    if (!values) return {file, values.error()};
    return {file, *std::move(values)};
}

/// Files by name, as the database knows them: those of both tables.
Expected<std::vector<RecordFile>> known_files(Database& database) {
    Expected<Statement> all = database.prepare(
        "SELECT file, size_bytes, mtime_ns FROM records UNION ALL SELECT file, size_bytes, mtime_ns FROM refused "
        "ORDER BY file");
    if (!all) return tl::unexpected(all.error());
    std::vector<RecordFile> files;
    for (;;) {
        const Expected<bool> row = all->step();
        if (!row) return tl::unexpected(row.error());
        if (!*row) return files;
        files.push_back({all->text(0), all->integer(1), all->integer(2)});
    }
}

/// Of two lists by name: what of the first the second lacks or has otherwise.
std::vector<RecordFile> not_in(const std::vector<RecordFile>& files, const std::vector<RecordFile>& others) {
    std::vector<RecordFile> missing;
    std::set_difference(files.begin(), files.end(), others.begin(), others.end(), std::back_inserter(missing),
                        [](const RecordFile& a, const RecordFile& b) {
                            return std::tie(a.name, a.size_bytes, a.mtime_ns) <
                                   std::tie(b.name, b.size_bytes, b.mtime_ns);
                        });
    return missing;
}

/// Writes within a transaction of its owner.
class Writer {
  public:
    static Expected<Writer> prepare(Database& database);

    Status forget(const std::string& file);
    Status add(const ReadFile& read);
    [[nodiscard]] Expected<bool> knows(const RecordFile& file);

  private:
    explicit Writer(Database& database) : database_(&database) {}
    Status add_record(const RecordFile& file, const RecordValues& values);
    Status add_points(std::int64_t record, const MetricValues& metric);
    Expected<std::int64_t> id_of(Statement& find, Statement& insert, std::string_view name, int unit);
    Expected<std::uint32_t> case_id(const std::string& name);

    enum Name {
        kKnows,
        kForgetPoints,
        kForgetRecord,
        kForgetRefused,
        kRefuse,
        kRecord,
        kFindCase,
        kCase,
        kFindMetric,
        kMetric,
        kPoints
    };
    Database* database_;
    std::vector<Statement> statements_;
    std::unordered_map<std::string, std::uint32_t> case_ids_;
};

Expected<Writer> Writer::prepare(Database& database) {
    Writer writer(database);
    for (const char* sql :
         {("SELECT 1 FROM records WHERE file = ?1 AND size_bytes = ?2 AND mtime_ns = ?3 UNION ALL "
           "SELECT 1 FROM refused WHERE file = ?1 AND size_bytes = ?2 AND mtime_ns = ?3"),
          "DELETE FROM points WHERE record IN (SELECT id FROM records WHERE file = ?)",
          "DELETE FROM records WHERE file = ?", "DELETE FROM refused WHERE file = ?",
          "INSERT INTO refused VALUES(?, ?, ?, ?, ?)",
          ("INSERT INTO records(file, size_bytes, mtime_ns, kind, date_s, machine, machine_text, environment, version, "
           "commit_id, reference, package, packages, cases, busy_cases, at_clock_ghz) "
           "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
          "SELECT id FROM cases WHERE name = ?", "INSERT INTO cases(name) VALUES(?)",
          "SELECT id FROM metrics WHERE name = ?", "INSERT INTO metrics(name, unit) VALUES(?, ?)",
          "INSERT INTO points VALUES(?, ?, ?)"}) {
        Expected<Statement> statement = database.prepare(sql);
        if (!statement) return tl::unexpected(statement.error());
        writer.statements_.push_back(*std::move(statement));
    }
    return writer;
}

Expected<bool> Writer::knows(const RecordFile& file) {
    Statement& find = statements_[kKnows];
    const Expected<bool> row = find.bind(file.name, file.size_bytes, file.mtime_ns).step();
    const bool found = row && *row;
    if (found) find.bind(std::string_view(), 0, 0);  // rewound: an open read would hold the lock
    if (!row) return row;
    return found;
}

Status Writer::forget(const std::string& file) {
    for (const Name name : {kForgetPoints, kForgetRecord, kForgetRefused})
        if (Status done = statements_[name].bind(file).run(); !done) return done;
    return {};
}

Status Writer::add(const ReadFile& read) {
    const Expected<bool> known = knows(read.file);
    if (!known) return tl::unexpected(known.error());
    if (*known) return {};  // another process was first
    if (Status forgotten = forget(read.file.name); !forgotten) return forgotten;
    if (const RecordValues* values = std::get_if<RecordValues>(&read.content)) return add_record(read.file, *values);
    const Error& error = std::get<Error>(read.content);
    if (error.code != core::ErrorCode::kData) return {};  // it may be readable the next time
    return statements_[kRefuse]
        .bind(read.file.name, read.file.size_bytes, read.file.mtime_ns, error.what, error.hint)
        .run();
}

Status Writer::add_record(const RecordFile& file, const RecordValues& values) {
    const IndexedRecord& record = values.record;
    if (Status added =
            statements_[kRecord]
                .bind(file.name, file.size_bytes, file.mtime_ns, record.kind, record.date_s, record.machine,
                      record.machine_text, record.environment, record.version, record.commit, record.reference,
                      record.package, record.packages, record.cases, record.busy_cases, record.at_clock_ghz)
                .run();
        !added)
        return added;
    const std::int64_t id = database_->last_id();
    for (const MetricValues& metric : values.metrics)
        if (Status added = add_points(id, metric); !added) return added;
    return {};
}

Expected<std::int64_t> Writer::id_of(Statement& find, Statement& insert, std::string_view name, int unit) {
    const Expected<bool> row = find.bind(name).step();
    if (!row) return tl::unexpected(row.error());
    if (*row) {
        const std::int64_t id = find.integer(0);
        find.bind(std::string_view());
        return id;
    }
    const Status added = (&insert == &statements_[kMetric] ? insert.bind(name, unit) : insert.bind(name)).run();
    if (!added) return tl::unexpected(added.error());
    return database_->last_id();
}

Expected<std::uint32_t> Writer::case_id(const std::string& name) {
    if (const auto found = case_ids_.find(name); found != case_ids_.end()) return found->second;
    const Expected<std::int64_t> id = id_of(statements_[kFindCase], statements_[kCase], name, 0);
    if (!id) return tl::unexpected(id.error());
    return case_ids_[name] = static_cast<std::uint32_t>(*id);
}

Status Writer::add_points(std::int64_t record, const MetricValues& metric) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    const Expected<std::int64_t> metric_id =
        id_of(statements_[kFindMetric], statements_[kMetric], metric.metric, static_cast<int>(metric.unit));
    if (!metric_id) return tl::unexpected(metric_id.error());
    std::vector<PackedPoint> points;
    for (const CaseValue& value : metric.values) {
        const Expected<std::uint32_t> id = case_id(value.case_name);
        if (!id) return tl::unexpected(id.error());
        points.push_back({*id, value.processes, value.value, value.low.value_or(kNone), value.high.value_or(kNone),
                          value.computed_ratio.value_or(kNone)});
    }
    return statements_[kPoints].bind(*metric_id, record, Bytes{bytes_of(points)}).run();
}

/// One transaction.
Status write_batch(Database& database, const std::vector<std::string>& vanished, const std::vector<ReadFile>& read) {
    Expected<Transaction> transaction = Transaction::begin(database, Transaction::Kind::kWrite);
    if (!transaction) return tl::unexpected(transaction.error());
    // Prepared anew, and ids looked up anew: those of a transaction that was taken back are void.
    Expected<Writer> writer = Writer::prepare(database);
    if (!writer) return tl::unexpected(writer.error());
    for (const std::string& name : vanished)
        if (Status done = writer->forget(name); !done) return done;
    for (const ReadFile& each : read)
        if (Status done = writer->add(each); !done) return done;
    return transaction->commit();
}

Expected<std::vector<StoreIndex::Refused>> refused_files(Database& database, const std::filesystem::path& folder) {
    Expected<Statement> all = database.prepare("SELECT file, what, hint FROM refused ORDER BY file");
    if (!all) return tl::unexpected(all.error());
    std::vector<StoreIndex::Refused> refused;
    for (;;) {
        const Expected<bool> row = all->step();
        if (!row) return tl::unexpected(row.error());
        if (!*row) return refused;
        refused.push_back({folder / all->text(0), {core::ErrorCode::kData, all->text(1), all->text(2)}});
    }
}

/// Reads what is new and forgets what is gone. The result: files that cannot be read now.
Expected<std::vector<StoreIndex::Refused>> apply(const RecordListing& listing, const std::filesystem::path& folder,
                                                 Database& database) {
    const Expected<std::vector<RecordFile>> known = known_files(database);
    if (!known) return tl::unexpected(known.error());

    std::vector<StoreIndex::Refused> unreadable;
    std::set<std::string> unreachable;
    for (const RecordListing::Unreachable& each : listing.unreachable) {
        unreadable.push_back({folder / each.name, each.error});
        unreachable.insert(each.name);
    }
    std::vector<std::string> vanished;
    // A record that another process wrote and indexed since the folder was listed is no vanished one.
    for (const RecordFile& file : not_in(*known, listing.files))
        if (unreachable.contains(file.name) || is_missing(folder / file.name)) vanished.push_back(file.name);
    const std::vector<RecordFile> fresh = not_in(listing.files, *known);
    for (std::size_t begin = 0; begin < fresh.size() || !vanished.empty(); begin += kBatch) {
        std::vector<ReadFile> read;
        for (std::size_t i = begin; i < std::min(begin + kBatch, fresh.size()); ++i) {
            read.push_back(read_file(folder, fresh[i]));
            const Error* error = std::get_if<Error>(&read.back().content);
            if (error != nullptr && error->code != core::ErrorCode::kData && !is_missing(folder / fresh[i].name))
                unreadable.push_back({folder / fresh[i].name, *error});
        }
        if (Status written = write_batch(database, vanished, read); !written) return tl::unexpected(written.error());
        vanished.clear();
    }
    return unreadable;
}

bool is_among(const std::vector<StoreIndex::Refused>& refused, const std::string& name) {
    return std::ranges::any_of(refused, [&](const auto& each) { return each.file.filename() == name; });
}

}  // namespace

Expected<UpToDate> update_index(Database& database, const std::filesystem::path& folder) {
    // Between the last batch and the snapshot another process may have made the index anew, from a folder that lacked
    // the newest records.
    for (int pass = 0; pass < kMostPasses; ++pass) {
        const Expected<RecordListing> listing = list_record_files(folder);
        if (!listing) return tl::unexpected(listing.error());
        Expected<std::vector<StoreIndex::Refused>> unreadable = apply(*listing, folder, database);
        if (!unreadable) return tl::unexpected(unreadable.error());
        Expected<Transaction> snapshot = Transaction::begin(database, Transaction::Kind::kRead);
        if (!snapshot) return tl::unexpected(snapshot.error());
        const Expected<std::vector<RecordFile>> known = known_files(database);
        if (!known) return tl::unexpected(known.error());
        const std::vector<RecordFile> missing = not_in(listing->files, *known);
        if (!std::ranges::all_of(missing, [&](const RecordFile& file) { return is_among(*unreadable, file.name); }))
            continue;
        Expected<std::vector<StoreIndex::Refused>> refused = refused_files(database, folder);
        if (!refused) return tl::unexpected(refused.error());
        std::ranges::move(*unreadable, std::back_inserter(*refused));
        std::ranges::sort(*refused, {}, &StoreIndex::Refused::file);
        return UpToDate{*std::move(refused), *std::move(snapshot)};
    }
    return core::fail(core::ErrorCode::kEnvironment, "other processes change it all the time");
}

}  // namespace tare::history
