// Layout of a grid.
#include "harness/record/text_grid.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "harness/record/shared_lines.h"

namespace tare::record {

namespace {

constexpr std::size_t kNarrowestName = 16;  // enough for `add[…,n=1024]` to be told apart
constexpr std::size_t kWholeName = 40;      // longer names are shortened before a column is dropped

std::vector<std::size_t> widths_of(const std::vector<Column>& columns, const std::vector<GridRow>& rows) {
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        std::size_t width = text_columns(columns[i].title);
        for (const GridRow& row : rows)
            if (!row.is_heading()) width = std::max(width, text_columns(row.cells[i]));
        widths.push_back(width);
    }
    return widths;
}

std::size_t total_of(const std::vector<std::size_t>& widths) {
    return std::accumulate(widths.begin(), widths.end(), kColumnGap * (widths.size() - 1));
}

void drop_column(std::vector<Column>& columns, std::vector<GridRow>& rows, std::size_t index) {
    const auto offset = static_cast<std::ptrdiff_t>(index);
    columns.erase(columns.begin() + offset);
    for (GridRow& row : rows)
        if (!row.is_heading()) row.cells.erase(row.cells.begin() + offset);
}

std::string styled(const std::string& text, const char* escape, const TextStyle& style) {
    return style.color && !text.empty() ? std::string(escape) + text + "\033[0m" : text;
}

std::string line_of(const std::vector<std::string>& cells, const std::vector<Column>& columns,
                    const std::vector<std::size_t>& widths) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::string padding(widths[i] - std::min(widths[i], text_columns(cells[i])), ' ');
        if (i > 0) line.append(kColumnGap, ' ');
        line += columns[i].left ? cells[i] + padding : padding + cells[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

}  // namespace

std::string print_grid(std::vector<Column> columns, std::vector<GridRow> rows, std::size_t width,
                       const TextStyle& style, std::vector<std::string>* dropped) {
    for (GridRow& row : rows)
        for (std::string& cell : row.cells) cell = one_line(std::move(cell));
    for (std::size_t i = columns.size(); i-- > 1;) {
        const bool used = std::any_of(rows.begin(), rows.end(),
                                      [&](const GridRow& row) { return !row.is_heading() && !row.cells[i].empty(); });
        if (!used) drop_column(columns, rows, i);
    }
    std::vector<std::size_t> widths = widths_of(columns, rows);
    const auto excess = [&] { return total_of(widths) > width ? total_of(widths) - width : 0; };
    while (width > 0 && excess() > 0 && widths[0] < excess() + std::min(widths[0], kWholeName)) {
        std::size_t least = 0;  // none
        for (std::size_t i = 0; i < columns.size(); ++i)
            if (columns[i].importance > 0 && (least == 0 || columns[i].importance < columns[least].importance))
                least = i;
        if (least == 0) break;
        if (dropped != nullptr) dropped->push_back(columns[least].title);
        drop_column(columns, rows, least);
        widths = widths_of(columns, rows);
    }
    if (width > 0 && excess() > 0) widths[0] -= std::min(excess(), widths[0] - std::min(widths[0], kNarrowestName));

    std::vector<std::string> titles;
    for (const Column& column : columns) titles.push_back(column.title);
    titles[0] = shortened(titles[0], widths[0], style);
    std::string text = styled(line_of(titles, columns, widths), "\033[1m", style) + '\n';
    for (GridRow& row : rows) {
        if (row.is_heading()) {
            text += styled(shortened(row.cells[0], width > 0 ? width : row.cells[0].size(), style), "\033[36m", style);
        } else {
            row.cells[0] = shortened(row.cells[0], widths[0], style);
            const std::string line = line_of(row.cells, columns, widths);
            text += row.escape != nullptr ? styled(line, row.escape, style) : line;
        }
        text += '\n';
    }
    return text;
}

}  // namespace tare::record
