// Brings an index up to date with a folder of records: what is new is read, what vanished forgotten.
#pragma once

#include <filesystem>
#include <vector>

#include "harness/history/sqlite.h"
#include "harness/history/store_index.h"

namespace tare::history {

struct UpToDate {
    std::vector<StoreIndex::Refused> refused;  ///< files that are no records or out of reach, by name
    Transaction snapshot;                      ///< sees every record of the folder, and nothing that others write since
};

/// Files that are no records are kept with the reason, and not parsed again until they change. Records are parsed
/// outside of transactions and written a batch at a time, so that other processes wait for milliseconds, and one that
/// is killed loses a batch. Errors: of the database; kEnvironment where the folder cannot be read.
[[nodiscard]] core::Expected<UpToDate> update_index(Database& database, const std::filesystem::path& folder);

}  // namespace tare::history
