// A grid of text cells fitted to a width: columns without any value are left out, then lesser columns, then the middle
// of the first column's texts. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/record/number_text.h"

namespace tare::record {

inline constexpr std::size_t kColumnGap = 2;  ///< blanks between columns

struct Column {
    std::string title;
    int importance = 0;  ///< the least important goes first where width is short; 0: never
    bool left = false;   ///< aligned left
};

struct GridRow {
    std::vector<std::string> cells;  ///< as many as columns, or one: a heading across all
    const char* escape = nullptr;    ///< ANSI, of the whole line; nullptr: none
    bool is_heading() const { return cells.size() == 1; }
};

/// A line for the titles and one for each row, kColumnGap between columns, none at a line's end. `width` 0: no limit.
/// `dropped`, if given, takes the titles of the columns with values for which there was no room.
[[nodiscard]] std::string print_grid(std::vector<Column> columns, std::vector<GridRow> rows, std::size_t width,
                                     const TextStyle& style, std::vector<std::string>* dropped = nullptr);

}  // namespace tare::record
