// Tables and the ways out where the file is not to be had.
#include "harness/history/index_layout.h"

#include <fmt/format.h>

#include <utility>

namespace tare::history {

using core::Expected;
using core::Status;

namespace {

constexpr const char* kTables = R"(
CREATE TABLE records(id INTEGER PRIMARY KEY, file TEXT NOT NULL UNIQUE, size_bytes INTEGER NOT NULL,
                     mtime_ns INTEGER NOT NULL, kind TEXT NOT NULL, date_s REAL NOT NULL, machine TEXT NOT NULL,
                     machine_text TEXT NOT NULL, environment TEXT NOT NULL, version TEXT NOT NULL,
                     commit_id TEXT NOT NULL, reference TEXT NOT NULL, package TEXT NOT NULL,
                     packages TEXT NOT NULL, cases INTEGER NOT NULL,
                     busy_cases INTEGER NOT NULL, at_clock_ghz REAL NOT NULL);
CREATE TABLE refused(file TEXT PRIMARY KEY, size_bytes INTEGER NOT NULL, mtime_ns INTEGER NOT NULL,
                     what TEXT NOT NULL, hint TEXT NOT NULL);
CREATE TABLE cases(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE metrics(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, unit INTEGER NOT NULL);
CREATE TABLE points(metric INTEGER NOT NULL, record INTEGER NOT NULL, points BLOB NOT NULL,
                    UNIQUE(metric, record));
CREATE INDEX points_by_record ON points(record);
)";

/// What a database says of itself.
struct Marks {
    std::int64_t application = 0;
    std::int64_t layout = 0;
    std::int64_t tables = 0;  ///< and indexes

    [[nodiscard]] bool is_current() const { return application == kIndexApplication && layout == kIndexLayout; }
    [[nodiscard]] bool is_blank() const { return application == 0 && layout == 0 && tables == 0; }
};

Expected<Marks> marks_of(Database& database) {
    Marks marks;
    for (const auto& [sql, into] :
         {std::pair("PRAGMA application_id", &marks.application), std::pair("PRAGMA user_version", &marks.layout),
          // A damaged schema shows when it is first read.
          std::pair("SELECT count(*) FROM sqlite_schema", &marks.tables)}) {
        const Expected<std::int64_t> number = database.number(sql);
        if (!number) return tl::unexpected(number.error());
        *into = *number;
    }
    return marks;
}

/// Makes the tables where the database is empty; kData where it holds something else.
Status make_tables(Database& database) {
    const Expected<Marks> marks = marks_of(database);
    if (!marks) return tl::unexpected(marks.error());
    if (marks->is_current()) return {};
    Expected<Transaction> transaction = Transaction::begin(database, Transaction::Kind::kWrite);
    if (!transaction) return tl::unexpected(transaction.error());
    const Expected<Marks> again = marks_of(database);  // someone else may have been first
    if (!again) return tl::unexpected(again.error());
    if (again->is_current()) return transaction->commit();
    if (again->tables != 0 || (again->application != 0 && again->application != kIndexApplication))
        return core::fail(core::ErrorCode::kData,
                          fmt::format("the index has layout {}, not {}", again->layout, kIndexLayout));
    if (Status made = database.run(kTables); !made) return made;
    if (Status marked = database.run(
            fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kIndexApplication, kIndexLayout));
        !marked)
        return marked;
    return transaction->commit();
}

/// Whether nothing of someone else is lost by emptying it. What is no database at all is a damaged index.
Status is_disposable(Database& database) {
    const Expected<std::int64_t> application = database.number("PRAGMA application_id");
    if (!application && application.error().code == core::ErrorCode::kData) return {};
    if (!application) return tl::unexpected(application.error());
    if (*application == kIndexApplication) return {};
    const Expected<Marks> marks = marks_of(database);
    if (marks && marks->is_blank()) return {};
    // Those that were made before indexes had an id: all of their tables, and no other.
    const Expected<std::int64_t> own = database.number(
        "SELECT sum(name IN ('records', 'refused', 'cases', 'metrics', 'points')) = 5 AND count(*) = 5 "
        "FROM sqlite_schema WHERE type = 'table'");
    if (*application == 0 && marks && marks->layout == 1 && own && *own == 1) return {};
    return core::fail(core::ErrorCode::kEnvironment,
                      "it is a database that tare did not make; move it away, or remove it");
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
        made = is_disposable(*database);
        if (made) made = database->reset();
        if (made) made = prepared(*database);
    }
    if (!made) return tl::unexpected(made.error());
    return database;
}

}  // namespace

Expected<Database> open_temporary_index() {
    Expected<Database> database = Database::open_temporary();
    if (!database) return database;
    if (Status made = make_tables(*database); !made) return tl::unexpected(made.error());
    return database;
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
