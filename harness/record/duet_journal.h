// The journal of a duet: first line: what is compared and by which rules; then a line per visit of a pair, per round
// that ended, per redraw of the page cache, per change of context or sides; last line "end".
#pragma once

#include <array>
#include <filesystem>
#include <string_view>

#include "harness/core/error.h"
#include "harness/core/pair_visit.h"
#include "harness/record/duet.h"
#include "harness/record/journal_file.h"

namespace tare::record {

class DuetJournal {
  public:
    /// Creates `<folder>/<name>.jsonl` with all that `start` holds: of a duet that is continued also its visits.
    [[nodiscard]] static core::Expected<DuetJournal> create(const std::filesystem::path& folder, std::string_view name,
                                                            const Duet& start);

    // On disk when they return. What could not be written whole leaves no torn line behind.
    [[nodiscard]] core::Status append(const core::PairVisit& visit);
    /// All visits of `round` have been appended.
    [[nodiscard]] core::Status append_round_ended(int round);
    [[nodiscard]] core::Status append_page_cache(const PageCacheRedraw& page_cache);
    [[nodiscard]] core::Status append_context(const core::Value& context);
    [[nodiscard]] core::Status append_sides(const std::array<core::Value, 2>& sides);
    /// The duet is over; `after_round`: what its `ended_after_rounds` now ends with.
    [[nodiscard]] core::Status end(bool interrupted, int after_round);
    /// To be called once the record is on disk.
    [[nodiscard]] core::Status remove() { return file_.remove(); }

    [[nodiscard]] const std::filesystem::path& path() const { return file_.path(); }

  private:
    explicit DuetJournal(JournalFile file) : file_(std::move(file)) {}
    JournalFile file_;
};

/// The duet that a journal's text holds, recovered: true; without an end it ended after the last whole round. A torn
/// last line is dropped; damaged lines are listed in its problems. Errors: kData where the first line is not that of a
/// duet's journal.
[[nodiscard]] core::Expected<Duet> parse_duet_journal(std::string_view text, std::string_view name);

}  // namespace tare::record
