// Brings an index up to date with a folder of records: what is new is read, what vanished forgotten.
#pragma once

#include <filesystem>
#include <vector>

#include "harness/history/sqlite.h"
#include "harness/history/store_index.h"

namespace tare::history {

/// Files that are no records are kept with the reason, and not parsed again until they change; the result is all of
/// them, by name. Records are parsed outside of transactions and written a batch at a time, so that other processes
/// wait for milliseconds, and one that is killed loses a batch. Errors: of the database.
[[nodiscard]] core::Expected<std::vector<StoreIndex::Refused>> update_index(Database& database,
                                                                            const std::filesystem::path& folder);

}  // namespace tare::history
