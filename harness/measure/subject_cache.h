// Remembers what a probe of a subject said: one text file per subject and environment, valid until one of the files
// named in it changes (time of modification, size, inode). Lines are `key=value`, escaped as the probe writes them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/core/error.h"

namespace tare::measure {

using Fields = std::vector<std::pair<std::string, std::string>>;  ///< keys may repeat; the order is kept

/// The lines of `text` that hold a '='; others are skipped.
[[nodiscard]] Fields parse_fields(std::string_view text);
[[nodiscard]] std::string format_fields(const Fields& fields);
/// The first value of a key; empty if there is none.
[[nodiscard]] std::string field(const Fields& fields, std::string_view key);
[[nodiscard]] std::vector<std::string> all_fields(const Fields& fields, std::string_view key);

/// What an answer of `python` depends on beside files: its path and the environment variables that steer CPython and
/// the dynamic loader.
[[nodiscard]] std::string cache_key(const std::string& python);

/// The remembered fields; nothing if there are none, if they belong to another key, or if a watched file changed.
[[nodiscard]] std::optional<Fields> remembered(const std::filesystem::path& cache_dir, const std::string& key);

/// Replaces the answer of this key at once (temporary file and rename). `watched` may name files that do not exist: the
/// answer then ends when they appear. Errors: kEnvironment when the folder cannot be written.
[[nodiscard]] core::Status remember(const std::filesystem::path& cache_dir, const std::string& key,
                                    const Fields& fields, const std::vector<std::string>& watched);

}  // namespace tare::measure
