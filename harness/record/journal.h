// The journal of a run: first line: context, settings and counters; then a line per visit, per ledger, and
// per process that counts; last line "end".
#pragma once

#include <filesystem>
#include <string_view>

#include "harness/core/error.h"
#include "harness/core/ledger.h"
#include "harness/core/visit.h"
#include "harness/record/journal_file.h"
#include "harness/record/record.h"

namespace tare::record {

class Journal {
  public:
    /// Creates `<folder>/<name>.jsonl` with context, settings, problems and the requests for counters of `start` (its
    /// visits are not written).
    [[nodiscard]] static core::Expected<Journal> create(const std::filesystem::path& folder, std::string_view name,
                                                        const Record& start);

    /// On disk when it returns. A visit that could not be written whole leaves no torn line behind.
    [[nodiscard]] core::Status append(const core::Visit& visit);
    /// What a worker's start made of the counters.
    [[nodiscard]] core::Status append(const core::CountingProcess& process);
    /// Its stored part (stored_ledgers.h), as soon as it is made.
    [[nodiscard]] core::Status append(const core::Ledger& ledger);
    /// Of one visit; those of a case are merged when they are read.
    [[nodiscard]] core::Status append(const core::CaseProfile& profile);
    [[nodiscard]] core::Status append(const core::ProfileProblem& problem);
    [[nodiscard]] core::Status append(const core::LedgerProblem& problem);
    /// Replaces the context of the first line (what the workers reported, load at the end).
    [[nodiscard]] core::Status append_context(const core::Value& context);
    /// The run is over.
    [[nodiscard]] core::Status end(bool interrupted);
    /// To be called once the record is on disk.
    [[nodiscard]] core::Status remove() { return file_.remove(); }

    [[nodiscard]] const std::filesystem::path& path() const { return file_.path(); }

  private:
    explicit Journal(JournalFile file) : file_(std::move(file)) {}
    JournalFile file_;
};

/// The record that a journal's text holds, recovered: true. A torn last line is dropped; damaged lines are listed in
/// its problems. Errors: kData where the first line is not that of a run's journal.
[[nodiscard]] core::Expected<Record> parse_journal(std::string_view text, std::string_view name);

}  // namespace tare::record
