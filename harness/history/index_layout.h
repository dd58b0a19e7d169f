// The layout of the index's database: its tables, its version, and how the points of one record and metric lie in a
// blob. Laid out by record, so that a new one is a few rows however many cases it has, and a removed one leaves
// nothing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "harness/history/sqlite.h"

namespace tare::history {

inline constexpr const char* kIndexFile = "index.sqlite";  ///< in the store's root

/// The tables are made anew where PRAGMA user_version has another; raise it with each change of layout or of what is
/// read from records.
inline constexpr int kIndexLayout = 5;

/// PRAGMA application_id of an index, "tare": what tells it from a database of someone else.
inline constexpr int kIndexApplication = 0x74617265;

/// NaN where there is no bound, or no ratio.
struct PackedPoint {
    std::uint32_t case_id = 0;
    std::int32_t processes = 0;
    double value = 0;
    double low = 0;
    double high = 0;
    double computed_ratio = 0;  ///< see CaseValue
};
static_assert(sizeof(PackedPoint) == 40, "as in the file");

[[nodiscard]] inline std::string_view bytes_of(const std::vector<PackedPoint>& points) {
    return {reinterpret_cast<const char*>(points.data()), points.size() * sizeof(PackedPoint)};
}

struct OpenedIndex {
    Database database;
    std::string note;  ///< why it is in memory; empty: it is the file
};

/// The database at `path` with all tables of this layout. An index that is damaged or of another layout is emptied;
/// where the file cannot be had, or is someone else's database, the database is in memory. Errors: kEnvironment where
/// not even that works.
[[nodiscard]] core::Expected<OpenedIndex> open_index(const std::filesystem::path& path);
/// In memory.
[[nodiscard]] core::Expected<Database> open_index_in_memory();
/// An empty one to be filled out of sight of others.
[[nodiscard]] core::Expected<Database> open_temporary_index();

}  // namespace tare::history
