// The files in a store's folder of records as the index tells them apart: name, size, time of the last change.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/core/error.h"

namespace tare::history {

struct RecordFile {
    std::string name;
    std::int64_t size_bytes = 0;
    std::int64_t mtime_ns = 0;  ///< since 1970
    bool operator==(const RecordFile&) const = default;
};

struct RecordListing {
    struct Unreachable {
        std::string name;
        core::Error error;  ///< kEnvironment
    };
    std::vector<RecordFile> files;         ///< by name; those of record::list_records
    std::vector<Unreachable> unreachable;  ///< links that lead nowhere, and what the system refuses to tell about
};

/// A missing folder holds none. One system call a file: 10,000 take 30 ms. Errors: kEnvironment where the folder cannot
/// be read.
[[nodiscard]] core::Expected<RecordListing> list_record_files(const std::filesystem::path& folder);

/// False also where it cannot be told.
[[nodiscard]] bool is_missing(const std::filesystem::path& path);

}  // namespace tare::history
