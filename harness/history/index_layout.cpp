// Tables and the ways out where the file is not to be had.
#include "harness/history/index_layout.h"

#include <fmt/format.h>

namespace tare::history {

using core::Expected;
using core::Status;

namespace {

constexpr const char* kTables = R"(
CREATE TABLE records(id INTEGER PRIMARY KEY, file TEXT NOT NULL UNIQUE, size_bytes INTEGER NOT NULL,
                     mtime_ns INTEGER NOT NULL, kind TEXT NOT NULL, date_s REAL NOT NULL, machine TEXT NOT NULL,
                     machine_text TEXT NOT NULL, environment TEXT NOT NULL, version TEXT NOT NULL,
                     commit_id TEXT NOT NULL, reference TEXT NOT NULL, cases INTEGER NOT NULL);
CREATE TABLE refused(file TEXT PRIMARY KEY, size_bytes INTEGER NOT NULL, mtime_ns INTEGER NOT NULL,
                     what TEXT NOT NULL, hint TEXT NOT NULL);
CREATE TABLE cases(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE metrics(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, unit INTEGER NOT NULL);
CREATE TABLE points(metric INTEGER NOT NULL, record INTEGER NOT NULL, points BLOB NOT NULL,
                    UNIQUE(metric, record));
CREATE INDEX points_by_record ON points(record);
)";

/// Makes the tables where the database is empty; kData where it holds something else.
Status make_tables(Database& database) {
    const Expected<std::int64_t> layout = database.number("PRAGMA user_version");
    if (!layout) return tl::unexpected(layout.error());
    if (*layout == kIndexLayout) {
        // A damaged schema shows when it is first read.
        const Expected<std::int64_t> count = database.number("SELECT count(*) FROM sqlite_schema");
        if (!count) return tl::unexpected(count.error());
        return {};
    }
    Expected<Transaction> transaction = Transaction::begin(database, Transaction::Kind::kWrite);
    if (!transaction) return tl::unexpected(transaction.error());
    const Expected<std::int64_t> again = database.number("PRAGMA user_version");  // someone else may have been first
    if (!again) return tl::unexpected(again.error());
    if (*again == kIndexLayout) return transaction->commit();
    const Expected<std::int64_t> tables = database.number("SELECT count(*) FROM sqlite_schema");
    if (!tables) return tl::unexpected(tables.error());
    if (*tables != 0)
        return core::fail(core::ErrorCode::kData, fmt::format("the index has layout {}, not {}", *again, kIndexLayout));
    if (Status made = database.run(kTables); !made) return made;
    if (Status marked = database.run(fmt::format("PRAGMA user_version = {}", kIndexLayout)); !marked) return marked;
    return transaction->commit();
}

Status prepared(Database& database) {
    // Without a sync before each commit: what a killed process leaves is rolled back, and after a loss of power a
    // damaged index is made anew.
    if (Status set = database.run("PRAGMA synchronous = NORMAL"); !set) return set;
    return make_tables(database);
}

Expected<Database> open_file(const std::filesystem::path& path) {
    Expected<Database> database = Database::open(path);
    if (!database) return database;
    Status made = prepared(*database);
    if (!made && made.error().code == core::ErrorCode::kData) {
        made = database->reset();
        if (made) made = prepared(*database);
    }
    if (!made) return tl::unexpected(made.error());
    return database;
}

}  // namespace

Status empty_index(Database& database) {
    if (Status empty = database.reset(); !empty) return empty;
    return make_tables(database);
}

Expected<Database> open_index_in_memory() {
    return open_file({});
}

Expected<OpenedIndex> open_index(const std::filesystem::path& path) {
    Expected<Database> database = open_file(path);
    if (database) return OpenedIndex{*std::move(database), ""};
    const std::string why = database.error().what;
    database = open_index_in_memory();
    if (!database) return tl::unexpected(database.error());
    return OpenedIndex{
        *std::move(database),
        fmt::format("the index '{}' cannot be used ({}): records are read anew by each command", path.string(), why)};
}

}  // namespace tare::history
