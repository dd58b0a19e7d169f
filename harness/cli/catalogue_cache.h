// The catalogue as a worker described it, kept in a file so that `bench list` starts no interpreter. Valid while every
// file it was read from is unchanged; damage counts as absence. What changed at about the time when it was read is not
// kept: nobody knows which of the two contents the worker saw.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "harness/core/case.h"
#include "harness/core/value.h"

namespace tare::cli {

/// `key` names everything the catalogue depends on beside its files (subject, NumPy, suites).
[[nodiscard]] std::optional<core::Value> cached_catalogue(const std::filesystem::path& cache_dir,
                                                          const std::string& key);

/// Best effort: a cache that cannot be written only costs time. `folders` are watched for new files; `asked_unix_s` is
/// when the worker began to read.
void cache_catalogue(const std::filesystem::path& cache_dir, const std::string& key, const core::Value& described,
                     const core::List& folders, double asked_unix_s);

/// A worker's description as values; cases without a name are left out.
[[nodiscard]] core::Catalogue catalogue_of(const core::Value& described);

}  // namespace tare::cli
