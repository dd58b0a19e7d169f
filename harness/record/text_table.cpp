// Cells of the table of cases, and the table of size fits.
#include "harness/record/text_table.h"

#include <fmt/format.h>

#include "harness/record/case_rows.h"
#include "harness/record/counter_table.h"
#include "harness/record/table_notes.h"
#include "harness/record/text_grid.h"

namespace tare::record {

namespace {

using core::RungKind;
using stats::BreakEven;
using stats::CaseEstimate;

/// Blanks after numbers that carry no mark, so that marked and plain ones stay aligned.
class CaseCells {
  public:
    CaseCells(const Summary& summary, const TableMarks& marks, const TableOptions& options)
        : summary_(summary), marks_(marks), options_(options) {}

    [[nodiscard]] std::vector<std::string> cells(const CaseEstimate& estimate, std::string label) const {
        const auto gross = estimate.time_ns(RungKind::kPython);
        std::string gross_text = estimate.error ? "failed" : "";
        const bool some_mark = marks_.failed || marks_.gross_at_0;
        if (gross)
            gross_text = duration_text(gross->value, options_.style) +
                         (some_mark ? fmt::format("{:1}", gross_mark(estimate)) : "");
        const core::Count* instructions = summary_.instructions_of(estimate.name);
        return {std::move(label),
                gross_text,
                gross ? interval_text(*gross, options_.style) + padded_mark(estimate) : "",
                duration(estimate.time_ns(RungKind::kNative)),
                tare(estimate),
                estimate.tare_share_ratio ? percent_text(estimate.tare_share_ratio->value) : "",
                duration(estimate.time_ns(RungKind::kCall)),
                ratio(estimate),
                instructions != nullptr ? count_text(instructions->value) : "",
                options_.cpp ? duration(estimate.time_ns(RungKind::kCpp)) : ""};
    }

  private:
    static std::string mark(bool column_has_marks, bool marked, const char* text) {
        return !column_has_marks ? "" : marked ? text : " ";
    }
    [[nodiscard]] std::string duration(const std::optional<stats::Estimate>& estimate) const {
        return estimate ? duration_text(estimate->value, options_.style) : "";
    }
    [[nodiscard]] std::string padded_mark(const CaseEstimate& estimate) const {
        const std::size_t width = marks_.moves ? 6 : marks_.busy ? 5 : marks_.some_one_process ? 3 : 0;
        return fmt::format("{:{}}", interval_mark(estimate, marks_), width);
    }
    [[nodiscard]] static std::string tare_mark(const CaseEstimate& estimate) {
        return estimate.net_exceeds_gross ? "*" : estimate.tare_unresolved ? "~" : "";
    }
    [[nodiscard]] std::string tare(const CaseEstimate& estimate) const {
        return estimate.tare_ns ? duration_text(estimate.tare_ns->value, options_.style) : tare_mark(estimate);
    }
    [[nodiscard]] std::string ratio(const CaseEstimate& estimate) const {
        if (!estimate.scalar_ratio) return "";
        return three_digits(estimate.scalar_ratio->value) + mark(marks_.unpaired, !estimate.scalar_paired, "u");
    }

    const Summary& summary_;
    const TableMarks& marks_;
    const TableOptions& options_;
};

std::string cases_table(const Summary& summary, const TableMarks& marks, const TableOptions& options) {
    std::vector<const CaseEstimate*> cases;
    for (const CaseEstimate& estimate : summary.cases) cases.push_back(&estimate);
    const CaseCells cells(summary, marks, options);
    std::vector<GridRow> rows = case_rows(cases, [&](const CaseEstimate& estimate, std::string label) {
        return cells.cells(estimate, std::move(label));
    });
    const std::string times = options.style.unicode ? "\u00d7 float" : "x float";
    const std::string plus_minus = options.style.unicode ? "\u00b1" : "+-";
    return print_grid({{"case", 0, true},
                       {"gross"},
                       {plus_minus, 7},
                       {"net", 5},
                       {"tare"},
                       {"share", 3},
                       {"call", 2},
                       {times, 6},
                       {"instructions", 4},
                       {"cpp", 1}},
                      std::move(rows), options.width, options.style);
}

std::string break_even_text(const stats::SizeFit& fit) {
    switch (fit.break_even) {
        case BreakEven::kFound:
            return fmt::format("n = {}", *fit.break_even_n);
        case BreakEven::kNever:
            return "never";
        case BreakEven::kBeyondSizes:
            return fmt::format("n > {}", fit.sizes.back());
        case BreakEven::kNoBaseline:
        case BreakEven::kNoLine:
            return "";
    }
    return "";
}

std::string fits_table(const Summary& summary, const TableOptions& options) {
    std::vector<GridRow> rows;
    std::size_t without = 0;
    for (const stats::SizeFit& fit : summary.size_fits) {
        if (!fit.fit) {
            ++without;  // busy sizes are marked above
            continue;
        }
        rows.push_back({{fit.name, duration_text(fit.fit->overhead_ns, options.style),
                         duration_text(fit.fit->slope_ns, options.style), percent_text(fit.fit->largest_residual_ratio),
                         break_even_text(fit)}});
    }
    std::string text;
    if (!rows.empty())
        text +=
            '\n' +
            print_grid({{"overhead + slope n", 0, true}, {"overhead"}, {"slope"}, {"misses", 1}, {"beats loop at", 2}},
                       std::move(rows), options.width, options.style);
    if (without > 0)
        text += fmt::format("{}{} more by size {} without a line in n.\n", text.empty() ? "\n" : "", without,
                            without == 1 ? "is" : "are");
    return text;
}

}  // namespace

std::string print_table(const Summary& summary, const TableOptions& options) {
    if (summary.cases.empty()) return "No case was measured.\n";
    const TableMarks marks = marks_of(summary);
    return cases_table(summary, marks, options) + counters_text(summary, options) + fits_table(summary, options) +
           kernels_text(summary) + notes_text(summary, marks, options.style) + failures_text(summary) +
           no_ledger_text(summary) + warnings_text(summary);
}

}  // namespace tare::record
