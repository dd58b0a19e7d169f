// The journal of a run: append-only JSON lines, synced one by one, so that a kill or a power cut costs one visit at
// most. First line: context and settings; then a line per visit; last line "end". The living run holds the file with
// flock.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "harness/core/error.h"
#include "harness/core/visit.h"
#include "harness/record/descriptor.h"
#include "harness/record/record.h"

namespace tare::record {

class Journal {
  public:
    /// Creates `<folder>/<name>.jsonl` with context, settings and problems of `start` (its visits are not written).
    [[nodiscard]] static core::Expected<Journal> create(const std::filesystem::path& folder, std::string_view name,
                                                        const Record& start);

    /// On disk when it returns. A visit that could not be written whole leaves no torn line behind.
    [[nodiscard]] core::Status append(const core::Visit& visit);
    /// Replaces the context of the first line (what the workers reported, load at the end).
    [[nodiscard]] core::Status append_context(const core::Value& context);
    /// The run is over.
    [[nodiscard]] core::Status end(bool interrupted);
    /// To be called once the record is on disk.
    [[nodiscard]] core::Status remove();

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    Journal(std::filesystem::path path, Descriptor descriptor)
        : path_(std::move(path)), descriptor_(std::move(descriptor)) {}
    [[nodiscard]] core::Status append_line(std::string line);

    std::filesystem::path path_;
    Descriptor descriptor_;  ///< holds the lock
};

/// A journal whose run is gone; locked by us until it is destroyed.
struct AbandonedJournal {
    std::filesystem::path path;
    Record record;  ///< recovered: true
    Descriptor lock;
};

struct AbandonedJournals {
    std::vector<AbandonedJournal> journals;
    std::vector<core::Error> problems;  ///< journals that could not be read; they stay where they are
};

/// The journals in `folder` that no run holds. A missing folder holds none. A torn last line is dropped; damaged lines
/// are listed in the record's problems.
[[nodiscard]] AbandonedJournals recover_journals(const std::filesystem::path& folder);

/// The record that a journal's text holds. Errors: kData where the first line is not a journal's.
[[nodiscard]] core::Expected<Record> parse_journal(std::string_view text, std::string_view name);

}  // namespace tare::record
