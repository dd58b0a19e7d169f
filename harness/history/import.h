// Results of other tools become records of the store: what a file holds is told by its content, one file is one record
// of kind run. A file imported anew, under whatever name and however it grew, replaces its record, so that importing
// twice adds nothing; cases that the record has already stay beside those that a filter chooses.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/error.h"
#include "harness/history/foreign_format.h"
#include "harness/history/imported_run.h"
#include "harness/record/store.h"

namespace tare::history {

struct ImportOptions {
    std::optional<ForeignFormat> format;  ///< empty: told by the content
    ImportHints hints;
};

/// What a file's content is. Errors: kData for none of the formats, with what it seems to be instead.
[[nodiscard]] core::Expected<ForeignFormat> detect_format(std::string_view text, std::string_view name);

enum class ImportStanding { kAdded, kUpdated, kAlreadyThere, kNothing, kRefused };

/// What became of one file.
struct ImportedFile {
    std::filesystem::path file;
    ImportStanding standing = ImportStanding::kRefused;
    std::filesystem::path record;  ///< empty where there is none
    ImportCounts counts;
    std::optional<core::Error> error;  ///< of a refused file
};

/// Told before each file: how many are done, of how many, and which is next.
using ImportProgress = std::function<void(std::size_t done, std::size_t total, const std::filesystem::path& next)>;

struct ImportResult {
    std::vector<ImportedFile> files;
    std::optional<core::Error> stopped;  ///< a record could not be written (a full disk): no file after it was tried
};

/// The files of `paths`: themselves, or those of a folder and of the folders in it (asv keeps one a machine), in the
/// order of their names. The store's folders exist.
[[nodiscard]] ImportResult import_files(const record::Store& store, const std::vector<std::string>& paths,
                                        const ImportOptions& options, const ImportProgress& progress);

}  // namespace tare::history
