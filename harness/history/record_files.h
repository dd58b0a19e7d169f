// The files in a store's folder of records as the index tells them apart: name, size, time of the last change.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tare::history {

struct RecordFile {
    std::string name;
    std::int64_t size_bytes = 0;
    std::int64_t mtime_ns = 0;  ///< since 1970
    bool operator==(const RecordFile&) const = default;
};

/// By name; those of record::list_records. One system call a file: 10,000 take 30 ms.
[[nodiscard]] std::vector<RecordFile> list_record_files(const std::filesystem::path& folder);

/// False also where it cannot be told.
[[nodiscard]] bool is_missing(const std::filesystem::path& path);

}  // namespace tare::history
