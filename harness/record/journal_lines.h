// The lines of a journal as JSON: the first says what it is, the others are read one by one, damaged or not.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/case.h"
#include "harness/record/json.h"

namespace tare::record {

inline constexpr const char* kRunJournal = "run";
inline constexpr const char* kDuetJournal = "duet";

/// A line, its end included.
[[nodiscard]] std::string journal_line(const Json& json);
/// The first line: version, kind, and the members of `more`.
[[nodiscard]] std::string first_journal_line(const char* kind, const Json& more);
[[nodiscard]] std::string end_line(const Json& facts);

/// The kind that the first line names; empty if it is no journal's.
[[nodiscard]] std::string journal_kind(std::string_view text);

/// `begin` takes the first line; `take` each other, and returns false for one that it does not know. A torn last line
/// is dropped; damaged ones are added to `problems`. Errors: kData where the first line is not that of a journal of
/// this kind and version, or is refused by `begin`.
[[nodiscard]] core::Status read_journal_lines(std::string_view text, std::string_view name, std::string_view kind,
                                              const std::function<core::Status(const Json&)>& begin,
                                              const std::function<bool(const Json&)>& take,
                                              std::vector<core::Catalogue::Problem>& problems);

}  // namespace tare::record
