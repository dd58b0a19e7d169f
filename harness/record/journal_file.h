// A journal's file: append-only lines, synced one by one, so that a kill or a power cut costs one line at most. Whoever
// writes it holds it with flock; what the lines say is for journal.h and duet_journal.h.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "harness/core/error.h"
#include "harness/record/descriptor.h"

namespace tare::record {

inline constexpr std::string_view kJournalSuffix = ".jsonl";

/// kEnvironment: "cannot <action> journal '<path>': <the system's reason>".
[[nodiscard]] core::Error journal_error(std::string_view action, const std::filesystem::path& path, int error_number);

class JournalFile {
  public:
    /// Creates `<folder>/<name>.jsonl`, which appears locked and with `beginning` (whole lines) in it.
    [[nodiscard]] static core::Expected<JournalFile> create(const std::filesystem::path& folder, std::string_view name,
                                                            std::string_view beginning);

    /// `lines` are whole lines. On disk when it returns; what could not be written whole leaves no torn line behind.
    [[nodiscard]] core::Status append(std::string_view lines);
    /// To be called once the record is on disk.
    [[nodiscard]] core::Status remove();

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    JournalFile(std::filesystem::path path, Descriptor descriptor)
        : path_(std::move(path)), descriptor_(std::move(descriptor)) {}

    std::filesystem::path path_;
    Descriptor descriptor_;  ///< holds the lock
};

}  // namespace tare::record
