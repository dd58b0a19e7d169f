// The JSON document that every record is, whatever it records: {"context": ..., "benchmarks": [a row a line], "tare":
// ...}. Written row by row and read row by row, so that memory does not grow with a document tree.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>

#include "harness/record/json.h"
#include "harness/record/record.h"

namespace tare::record {

/// What a record's top-level `tare` object says it is (its member `kind`; that of a run has none).
enum class RecordKind { kRun, kDuet };
[[nodiscard]] RecordKind kind_of(const Json& ours);

/// Calls its argument with each row.
using RowMaker = std::function<void(const std::function<void(const Json&)>& take)>;

[[nodiscard]] core::Status print_document(const core::Value& context, const RowMaker& make_rows, const Json& ours,
                                          const Sink& sink);

/// Writes the file atomically. An error's hint names `journal`, if not empty, as the file that still holds the data.
[[nodiscard]] core::Status write_document(const std::filesystem::path& path, const std::filesystem::path& journal,
                                          const std::function<core::Status(const Sink&)>& print);

/// All of a file. Errors: kEnvironment.
[[nodiscard]] core::Expected<std::string> read_document(const std::filesystem::path& path);

struct Document {
    core::Value context;
    Json ours;  ///< the top-level `tare` object
};

/// `take` returns false for a row that is none of ours. Errors: kData, see read_record; also for a record of another
/// kind, with the command that takes it, unless `kind` is
/// empty. Rows come before the document's kind is known.
[[nodiscard]] core::Expected<Document> parse_document(std::string_view text, std::string_view name,
                                                      std::optional<RecordKind> kind,
                                                      const std::function<bool(const Json& row)>& take);

/// kData for a file that was changed after it was written.
[[nodiscard]] core::Error damaged(std::string_view name, const std::string& how);

}  // namespace tare::record
