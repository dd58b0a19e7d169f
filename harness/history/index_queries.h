// Questions to an index that is up to date, each within a read transaction of the caller: another process may be adding
// records. Errors: of the database.
#pragma once

#include <string>
#include <vector>

#include "harness/history/sqlite.h"
#include "harness/history/store_index.h"

namespace tare::history {

/// By date, then by name.
[[nodiscard]] core::Expected<std::vector<IndexedRecord>> query_records(Database& database);
/// See StoreIndex::series.
[[nodiscard]] core::Expected<std::vector<core::Series>> query_series(Database& database, const SeriesQuery& query);
/// By name.
[[nodiscard]] core::Expected<std::vector<std::string>> query_metrics(Database& database);
[[nodiscard]] core::Expected<std::vector<std::string>> query_case_names(Database& database);

}  // namespace tare::history
