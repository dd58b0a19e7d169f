// In which surroundings a record was made, as the words that series are told apart by: machine, environment, version,
// reference. Pure.
#pragma once

#include <string_view>

#include "harness/history/store_index.h"
#include "harness/record/record_document.h"

namespace tare::history {

/// All of it but the number of cases. Two records whose `environment` and `reference` are equal pass the checks of
/// `bench compare` on one machine (record/stored_differences.h), which compares builds, hosts, threads and variables.
[[nodiscard]] IndexedRecord surroundings_of(const record::Document& document, std::string_view file);

/// "2026-11-21T02:30:38+00:00" as Unix time; 0 for what is no such date.
[[nodiscard]] double unix_time_of(std::string_view date);

}  // namespace tare::history
