// SQLite as this folder uses it: a connection and prepared statements that close themselves, errors as values. A file
// that is no database or a damaged one is kData; what the system refuses (a full disk, a lock, rights) kEnvironment.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "harness/core/error.h"

struct sqlite3;
struct sqlite3_stmt;

namespace tare::history {

/// Bound as a blob.
struct Bytes {
    std::string_view content;
};

class Statement {
  public:
    /// The parameters from the first on. They must live until the statement is stepped.
    template <class... Values>
    Statement& bind(const Values&... values) {
        rewind();
        int at = 0;
        (bind_one(++at, values), ...);
        return *this;
    }
    /// True: a row is there.
    [[nodiscard]] core::Expected<bool> step();
    /// Steps a statement that gives no row.
    [[nodiscard]] core::Status run();

    [[nodiscard]] std::int64_t integer(int column) const;
    [[nodiscard]] double real(int column) const;
    [[nodiscard]] std::string text(int column) const;
    /// Valid until the next step.
    [[nodiscard]] std::string_view bytes(int column) const;

  private:
    friend class Database;
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };
    explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}
    void rewind();
    void bind_one(int at, std::int64_t value);
    void bind_one(int at, std::size_t value) { bind_one(at, static_cast<std::int64_t>(value)); }
    void bind_one(int at, int value) { bind_one(at, std::int64_t{value}); }
    void bind_one(int at, double value);
    void bind_one(int at, Bytes bytes);
    void bind_one(int at, std::string_view text);
    void bind_one(int at, const std::string& text) { bind_one(at, std::string_view(text)); }

    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

class Database {
  public:
    /// Makes the file where there is none; an empty path is a database in memory. Waits for the locks of others.
    [[nodiscard]] static core::Expected<Database> open(const std::filesystem::path& path);
    /// In memory as far as SQLite's cache reaches, else in a file without a name.
    [[nodiscard]] static core::Expected<Database> open_temporary();

    [[nodiscard]] core::Status run(const std::string& sql);
    [[nodiscard]] core::Expected<Statement> prepare(std::string_view sql);
    /// Of a statement that gives one number.
    [[nodiscard]] core::Expected<std::int64_t> number(std::string_view sql);
    /// Empties the file whatever it holds, under its lock, so that others who have it open see an empty database.
    [[nodiscard]] core::Status reset();
    /// A copy of `source`, whatever the file held, in one transaction: others see all of the old or all of the new.
    [[nodiscard]] core::Status become(Database& source);
    [[nodiscard]] std::int64_t last_id() const;

  private:
    struct Close {
        void operator()(sqlite3* database) const;
    };
    explicit Database(sqlite3* database) : database_(database) {}
    [[nodiscard]] static core::Expected<Database> open_name(const char* name);
    [[nodiscard]] core::Error error(std::string_view what) const;

    std::unique_ptr<sqlite3, Close> database_;
};

/// All or nothing: taken back where it ends without commit().
class Transaction {
  public:
    enum class Kind { kRead, kWrite };
    /// A write takes the lock at once.
    [[nodiscard]] static core::Expected<Transaction> begin(Database& database, Kind kind);
    [[nodiscard]] core::Status commit();

    Transaction(Transaction&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}
    Transaction& operator=(Transaction&&) = delete;
    ~Transaction();

  private:
    explicit Transaction(Database& database) : database_(&database) {}
    Database* database_;
};

}  // namespace tare::history
