// In which surroundings a record was made, as the words that series are told apart by: machine, environment, version,
// reference. Pure.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/history/store_index.h"
#include "harness/record/duet.h"
#include "harness/record/record_document.h"

namespace tare::history {

/// All of it but the number of cases. Two records whose `machine`, `environment` and `reference` are equal pass the
/// checks of `bench compare` (record/stored_differences.h) but for one: a new version of tare begins no new series,
/// because every history would end with it. `date_s` is 0 where neither the record nor its name has a date.
[[nodiscard]] IndexedRecord surroundings_of(const record::Document& document, std::string_view file);
/// Of a duet that no file holds yet.
[[nodiscard]] IndexedRecord surroundings_of(const record::Duet& duet);

struct LoadedPackage {
    std::string name;
    std::string version;
    std::string commit;  ///< empty: unknown
    bool operator==(const LoadedPackage&) const = default;
};
/// What IndexedRecord::packages holds.
[[nodiscard]] std::vector<LoadedPackage> loaded_in(const std::string& packages);

/// Version and commit of `package` (empty: what the record is about; of a record that does not say, NumPy) in a run's
/// context or a side of a duet; empty where it is not known to have been loaded.
[[nodiscard]] std::pair<std::string, std::string> version_of_subject(const core::Value& subject,
                                                                     const std::string& package = {});

/// The fingerprint, with 8 digits over record::kMachineFacts behind it where any is known: "1b9f2e862e5d3942-0c5e31f7".
/// A fingerprint is that of CPU, kernel and container alone; governors, turbo or the number of CPUs change beneath it.
[[nodiscard]] std::string machine_of(const core::Value& context);

/// "2026-11-21T02:30:38+00:00" as Unix time; 0 for what is no such date.
[[nodiscard]] double unix_time_of(std::string_view date);

}  // namespace tare::history
