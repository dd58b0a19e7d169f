// What stands beneath the table of counters: the events behind its columns, the meaning of marks, and, once each, why
// counters were not counted. Pure.
#pragma once

#include <string>
#include <vector>

#include "harness/record/counter_cells.h"

namespace tare::record {

/// Of a line: `mark`, empty or one column wide, and what it means.
struct CounterNote {
    std::string mark;
    std::string text;
    bool operator==(const CounterNote&) const = default;
};

/// `code`: put around the names of events ("`" in Markdown).
[[nodiscard]] std::vector<CounterNote> counter_notes(const CounterCells& cells, const std::string& code);

/// One a line, wrapped to `width` columns at blanks (0: not at all), later lines indented.
[[nodiscard]] std::string notes_lines(const std::vector<CounterNote>& notes, std::size_t width);

}  // namespace tare::record
