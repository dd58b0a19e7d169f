// sqlite3's C interface.
#include "harness/history/sqlite.h"

#include <fmt/format.h>
#include <sqlite3.h>

namespace tare::history {

using core::Error;
using core::ErrorCode;
using core::Expected;
using core::Status;

namespace {

/// An update of others takes milliseconds; one that takes longer than this hangs.
constexpr int kBusyMs = 10'000;

bool is_damage(int code) {
    const int primary = code & 0xff;
    // SQLITE_ERROR: a table is missing that the layout's version promises.
    return primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB || primary == SQLITE_ERROR ||
           primary == SQLITE_MISMATCH || primary == SQLITE_CONSTRAINT;
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const {
    sqlite3_finalize(statement);
}

void Database::Close::operator()(sqlite3* database) const {
    sqlite3_close_v2(database);
}

void Statement::rewind() {
    sqlite3_reset(statement_.get());
}

void Statement::bind_one(int at, std::int64_t value) {
    sqlite3_bind_int64(statement_.get(), at, value);
}
void Statement::bind_one(int at, double value) {
    sqlite3_bind_double(statement_.get(), at, value);
}
void Statement::bind_one(int at, Bytes bytes) {
    sqlite3_bind_blob64(statement_.get(), at, bytes.content.data(), bytes.content.size(), SQLITE_STATIC);
}
void Statement::bind_one(int at, std::string_view text) {
    sqlite3_bind_text(statement_.get(), at, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
}

Expected<bool> Statement::step() {
    const int code = sqlite3_step(statement_.get());
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) {
        sqlite3_reset(statement_.get());  // ends its read, so that a transaction can be committed
        return false;
    }
    sqlite3* const database = sqlite3_db_handle(statement_.get());
    Error error{is_damage(code) ? ErrorCode::kData : ErrorCode::kEnvironment, sqlite3_errmsg(database), ""};
    sqlite3_reset(statement_.get());
    return tl::unexpected(std::move(error));
}

Status Statement::run() {
    const Expected<bool> row = step();
    if (!row) return tl::unexpected(row.error());
    return {};
}

std::int64_t Statement::integer(int column) const {
    return sqlite3_column_int64(statement_.get(), column);
}
double Statement::real(int column) const {
    return sqlite3_column_double(statement_.get(), column);
}
std::string Statement::text(int column) const {
    const std::string_view all = bytes(column);
    return std::string(all);
}
std::string_view Statement::bytes(int column) const {
    const void* const data = sqlite3_column_blob(statement_.get(), column);
    const int size = sqlite3_column_bytes(statement_.get(), column);
    return data == nullptr ? std::string_view() : std::string_view(static_cast<const char*>(data), size);
}

Error Database::error(std::string_view what) const {
    return {is_damage(sqlite3_errcode(database_.get())) ? ErrorCode::kData : ErrorCode::kEnvironment,
            fmt::format("{}: {}", what, sqlite3_errmsg(database_.get())), ""};
}

Expected<Database> Database::open(const std::filesystem::path& path) {
    return open_name(path.empty() ? ":memory:" : path.c_str());
}

Expected<Database> Database::open_temporary() {
    return open_name("");
}

Expected<Database> Database::open_name(const char* name) {
    sqlite3* opened = nullptr;
    const int code =
        sqlite3_open_v2(name, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
    Database database(opened);
    if (code != SQLITE_OK) {
        if (opened == nullptr) return core::fail(ErrorCode::kEnvironment, "SQLite: out of memory");
        return tl::unexpected(database.error(name));
    }
    sqlite3_extended_result_codes(opened, 1);
    sqlite3_busy_timeout(opened, kBusyMs);
    return database;
}

Status Database::run(const std::string& sql) {
    if (sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
        return tl::unexpected(error(sql.substr(0, 40)));
    return {};
}

Expected<Statement> Database::prepare(std::string_view sql) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(database_.get(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr) != SQLITE_OK)
        return tl::unexpected(error(sql));
    return Statement(statement);
}

Expected<std::int64_t> Database::number(std::string_view sql) {
    Expected<Statement> statement = prepare(sql);
    if (!statement) return tl::unexpected(statement.error());
    const Expected<bool> row = statement->step();
    if (!row) return tl::unexpected(row.error());
    return *row ? statement->integer(0) : 0;
}

Status Database::reset() {
    // The procedure that SQLite documents for badly damaged files (SQLITE_DBCONFIG_RESET_DATABASE).
    sqlite3_db_config(database_.get(), SQLITE_DBCONFIG_RESET_DATABASE, 1, nullptr);
    const Status status = run("VACUUM");
    sqlite3_db_config(database_.get(), SQLITE_DBCONFIG_RESET_DATABASE, 0, nullptr);
    return status;
}

Status Database::become(Database& source) {
    // All pages in one step: it takes the exclusive lock first (waiting for readers) and commits at its end.
    sqlite3_backup* const copy = sqlite3_backup_init(database_.get(), "main", source.database_.get(), "main");
    if (copy == nullptr) return tl::unexpected(error("copy"));
    const int code = sqlite3_backup_step(copy, -1);
    sqlite3_backup_finish(copy);
    if (code == SQLITE_DONE) return {};
    return core::fail(is_damage(code) ? ErrorCode::kData : ErrorCode::kEnvironment, sqlite3_errstr(code));
}

std::int64_t Database::last_id() const {
    return sqlite3_last_insert_rowid(database_.get());
}

Expected<Transaction> Transaction::begin(Database& database, Kind kind) {
    if (const Status status = database.run(kind == Kind::kWrite ? "BEGIN IMMEDIATE" : "BEGIN"); !status)
        return tl::unexpected(status.error());
    return Transaction(database);
}

Status Transaction::commit() {
    Status status = database_->run("COMMIT");
    if (status) database_ = nullptr;
    return status;
}

Transaction::~Transaction() {
    if (database_ == nullptr) return;
    // A full disk has taken it back already; nothing is lost either way.
    [[maybe_unused]] const Status status = database_->run("ROLLBACK");
}

}  // namespace tare::history
