// Counters as text and as Markdown.
#include "harness/record/counter_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "harness/record/case_rows.h"
#include "harness/record/counter_notes.h"
#include "harness/record/markup.h"
#include "harness/record/text_grid.h"

namespace tare::record {

namespace {

constexpr const char* kTitle = "events per execution";
constexpr int kGrossImportance = 3;  // it stands in the table above, too

std::string gross_text(const stats::CaseEstimate& estimate, const TextStyle& style) {
    return duration_text(estimate.time_ns(core::RungKind::kPython)->value, style);
}

/// Of a column with suspect values: a blank after those without a mark, so that digits stand under digits.
void align(std::vector<GridRow>& rows, std::size_t cells) {
    for (std::size_t i = 1; i < cells; ++i) {
        const auto ends_with_mark = [&](const GridRow& row) {
            return !row.is_heading() && row.cells[i].ends_with('?');
        };
        if (std::none_of(rows.begin(), rows.end(), ends_with_mark)) continue;
        for (GridRow& row : rows)
            if (!row.is_heading() && !ends_with_mark(row)) row.cells[i] += ' ';
    }
}

}  // namespace

std::string counters_text(const Summary& summary, const TableOptions& options) {
    if (summary.counters.empty()) return {};
    const CounterCells cells(summary, options.style);
    std::string text = "\n";
    std::vector<CounterNote> notes;
    if (!cells.columns().empty()) {
        std::vector<Column> columns = {{kTitle, 0, true}, {"gross", kGrossImportance}};
        for (const CounterColumn& column : cells.columns()) columns.push_back({column.title, column.importance});
        std::vector<GridRow> rows =
            case_rows(cells.cases(), [&](const stats::CaseEstimate& estimate, std::string label) {
                std::vector<std::string> row = cells.cells(estimate);
                row.insert(row.begin(), {std::move(label), gross_text(estimate, options.style)});
                return row;
            });
        align(rows, columns.size());
        std::vector<std::string> dropped;
        text += print_grid(std::move(columns), std::move(rows), options.width, options.style, &dropped) + '\n';
        std::erase(dropped, "gross");
        std::string names;
        for (const std::string& title : dropped) names += (names.empty() ? "" : ", ") + title;
        if (!names.empty()) notes.push_back({"", "no room here for: " + names});
    }
    std::ranges::move(counter_notes(cells, ""), std::back_inserter(notes));
    return text + notes_lines(notes, options.width);
}

std::string counters_markdown(const Summary& summary, const TextStyle& style) {
    if (summary.counters.empty()) return {};
    const CounterCells cells(summary, style);
    std::string text = "\n";
    if (!cells.columns().empty()) {
        text += fmt::format("| {} | gross |", kTitle);
        std::string rule = "|---|---:|";
        for (const CounterColumn& column : cells.columns()) {
            text += fmt::format(" {} |", markdown_cell(column.title));
            rule += "---:|";
        }
        text += '\n' + rule + '\n';
        for (const stats::CaseEstimate* estimate : cells.cases()) {
            text += fmt::format("| `{}` | {} |", markdown_cell(estimate->name), gross_text(*estimate, style));
            for (const std::string& cell : cells.cells(*estimate)) text += fmt::format(" {} |", cell);
            text += '\n';
        }
        text += '\n';
    }
    for (const CounterNote& note : counter_notes(cells, "`"))
        text += fmt::format("- {}{}\n", note.mark.empty() ? "" : fmt::format("`{}`: ", note.mark),
                            markdown_cell(note.text));
    return text;
}

}  // namespace tare::record
